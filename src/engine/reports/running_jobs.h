// Jobs that the resource manager runs, and where: those that were started here, by others, or by
// this scheduler before it was started anew.
#pragma once
#include <string>
#include <vector>

#include "maui/job.h"
#include "maui/units.h"

namespace maui {

class Cluster;
class Dependencies;
class FairshareLedger;
class JobDoubts;
class ReportedNodes;
class RunTimeLearning;
struct EngineTools;
struct Plan;
struct Settings;

struct ReportedRun {
  JobState state = JobState::running;  // or starting or suspended
  const std::vector<std::string>& task_list;
  Time started = kForever;  // or not known
  Seconds suspended_time{0};
  Time suspended_since = kForever;  // or not known
  bool stays_suspended = false;     // it is known that it was suspended by hand
};

class RunningJobs {
 public:
  RunningJobs(const EngineTools& tools, ReportedNodes& nodes, JobDoubts& doubts);

  /// A waiting job that is reported as active or suspended is so here, too.  False if it does not
  /// wait, or where it runs is not reported.
  bool adopt(JobId job, const ReportedRun& run);
  /// The same, or it is held: it must not be started as long as that is reported.
  void sync(JobId job, const ReportedRun& run);
  /// Takes over where an active job is reported to run.
  void note_where(JobId job, const std::vector<std::string>& task_list);
  /// A starting job runs; what it was charged before that is taken back.
  void note_running(JobId job, Time since);

 private:
  const EngineTools& tools_;
  ReportedNodes& nodes_;
  JobDoubts& doubts_;
  Cluster& cluster_;
  const Settings& settings_;
  Plan& plan_;
  FairshareLedger& fairshare_;
  RunTimeLearning& learning_;
  Dependencies& dependencies_;
};

}  // namespace maui
