// Requests to cancel jobs, by commands and by limits, until the resource manager has answered.
#pragma once
#include "maui/job.h"
#include "maui/resource_manager.h"

namespace maui {

class Cluster;
class JobEnds;
class UnansweredCancellations;
struct EngineTools;

class Cancellations {
 public:
  Cancellations(const EngineTools& tools, JobEnds& job_ends);

  /// Asks the job's resource manager to cancel it.  A job that waits ends when the resource manager
  /// has confirmed that; `reply` gets the answer, at once or later.
  void ask(JobId job, ResourceManager::Answer reply);
  /// As above; a refusal goes to the log.
  void ask(JobId job);
  /// Asks for what an earlier scheduler asked for and got no answer.
  void ask_again();

 private:
  const EngineTools& tools_;
  JobEnds& job_ends_;
  Cluster& cluster_;
  UnansweredCancellations& unanswered_;
};

}  // namespace maui
