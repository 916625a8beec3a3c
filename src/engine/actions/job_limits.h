// Limits on jobs that run too long, take too long to start, or use more than they
// requested (appendix F: JOBMAXOVERRUN, WCVIOLATIONACTION, JOBMAXSTARTTIME,
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
class Holds;
class KeptRequests;
class LastingRequests;
class Preemptions;
struct EngineTools;
struct Plan;
struct Settings;

class JobLimits {
 public:
  JobLimits(const EngineTools& tools, Holds& holds, KeptRequests& requests,
            Preemptions& preemptions, LastingRequests& lasting);

  /// Takes the use that the resource manager reports for the job up to `until`.
  void note_use(JobId job, JobUse use, Time until);
  /// `enforces`: enforces limits of time and use; otherwise only extends the expected ends of jobs.
  void enforce(bool enforces);

 private:
  void enforce_wallclock_limits(bool enforces);
  void enforce_wallclock_limit(JobId job, Time limit);
  void expire_starts();
  void enforce_resource_limits();
  void act(JobId job, const ResourceLimits& broken);
  void preempt(JobId job, Preemption how, const HoldReason& reason);

  const EngineTools& tools_;
  Holds& holds_;
  KeptRequests& requests_;
  Preemptions& preemptions_;
  LastingRequests& lasting_;
  Cluster& cluster_;
  const Settings& settings_;
  const Plan& plan_;
  const DoubtedJobs &unexpected_, &lost_;
  const ClockSteps& clock_steps_;
  std::vector<JobId>& over_request_;  // active jobs that use more than they requested
};

}  // namespace maui
