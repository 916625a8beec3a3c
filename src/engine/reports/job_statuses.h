// Reports on jobs that are known already: their states, their use, where they run, and what
// prevents their start.
#pragma once
#include "maui/job.h"
#include "maui/resource_manager.h"

namespace maui {

class Cluster;
class FailedStarts;
class JobDoubts;
class JobEnds;
class JobLimits;
class RefusedStarts;
class RunningJobs;
struct EngineTools;
struct RmRecord;

class JobStatuses {
 public:
  JobStatuses(const EngineTools& tools, FailedStarts& failed_starts, JobEnds& job_ends,
              JobLimits& job_limits, JobDoubts& doubts, RunningJobs& running_jobs);

  void apply(const JobStatus& status);
  /// Handles a requested start that has come to nothing.
  void apply(const FailedStart& failed);
  void apply(const JobEnd& ended);

 private:
  void apply_state(JobId job, const JobStatus& status);
  void note_suspended(JobId job, Seconds told);

  const EngineTools& tools_;
  FailedStarts& failed_starts_;
  JobEnds& job_ends_;
  JobLimits& job_limits_;
  JobDoubts& doubts_;
  RunningJobs& running_jobs_;
  Cluster& cluster_;
  RmRecord& rm_record_;
  const RefusedStarts& refused_starts_;
};

}  // namespace maui
