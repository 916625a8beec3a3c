// Which resource managers answer, and which do not.
#pragma once
#include <vector>

#include "maui/resource_manager.h"

namespace maui {

class JobEnds;
class ManagerContact;
struct EngineTools;

class ManagerAnswers {
 public:
  ManagerAnswers(const EngineTools& tools, JobEnds& job_ends);

  /// Nodes of a resource manager that does not answer stay as they were, and take no new jobs.
  void note_unreachable(const std::vector<UnreachableManager>& silent);
  /// All that a poll brought has been taken in.
  void note_heard();

 private:
  const EngineTools& tools_;
  JobEnds& job_ends_;
  ManagerContact& managers_;
};

}  // namespace maui
