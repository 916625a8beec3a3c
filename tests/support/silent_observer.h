// An observer that ignores all it is notified of.
#pragma once
#include "engine/engine.h"

namespace maui::test {

class SilentObserver : public EngineObserver {
 public:
  bool wants(int) const override { return false; }
  void log(int, std::string_view, std::string_view) override {}
  void job_ended(const Cluster&, JobId, int) override {}
};

}  // namespace maui::test
