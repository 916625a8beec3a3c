// The duration of iterations and of their phases, since the scheduler started.
#pragma once
#include <prometheus/histogram.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include "engine/engine.h"

namespace maui {

class IterationTimes {
 public:
  using Moment = std::chrono::steady_clock::time_point;

  IterationTimes();
  /// Receives the events of EngineObserver.
  void begins(Phase phase, Moment now);
  void ends(Moment now);

  std::int64_t iterations() const { return iterations_; }
  std::optional<Moment> last_end() const { return last_end_; }
  prometheus::ClientMetric whole() const { return whole_->Collect(); }
  prometheus::ClientMetric part(Phase phase) const;

 private:
  std::unique_ptr<prometheus::Histogram> whole_;
  std::array<std::unique_ptr<prometheus::Histogram>, kPhases> parts_;
  std::int64_t iterations_ = 0;
  std::optional<Phase> phase_;  // the current phase
  Moment begun_{}, phase_begun_{};
  std::optional<Moment> last_end_;

  void end_phase(Moment now);
};

}  // namespace maui
