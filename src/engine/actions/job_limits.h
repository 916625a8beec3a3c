// Jobs that run too long, take too long to start, or use more than they asked
// for (appendix F: JOBMAXOVERRUN, WCVIOLATIONACTION, JOBMAXSTARTTIME,
// RESOURCELIMITPOLICY, ENFORCERESOURCELIMITS).
#pragma once
#include <vector>

#include "maui/job.h"
#include "maui/settings/jobs.h"
#include "maui/units.h"

namespace maui {

class ClockSteps;
class Cluster;
class DoubtedJobs;
class Preemptions;
struct EngineTools;
struct Plan;
struct Settings;

class JobLimits {
 public:
  JobLimits(const EngineTools& tools, Preemptions& preemptions);

  /// Takes what the job is reported to have used until then.
  void note_use(JobId job, JobUse use, Time until);
  /// `enforces`: limits of time and use; else jobs are only expected to go on.
  void enforce(bool enforces);

 private:
  void enforce_wallclock_limits(bool enforces);
  void enforce_wallclock_limit(JobId job, Time limit);
  void expire_starts();
  void enforce_resource_limits();
  void act(JobId job, ViolationAction action);
  void cancel(JobId job);
  void preempt(JobId job, Preemption how);

  const EngineTools& tools_;
  Preemptions& preemptions_;
  Cluster& cluster_;
  const Settings& settings_;
  const Plan& plan_;
  const DoubtedJobs& unexpected_;
  const ClockSteps& clock_steps_;
  std::vector<JobId>& over_request_;  // active jobs that use more than they asked for
};

}  // namespace maui
