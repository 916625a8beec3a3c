// Jobs that the resource manager runs, and their nodes: started by this scheduler, by others, or by
// this scheduler before a restart.
#pragma once
#include <string>
#include <vector>

#include "maui/job.h"
#include "maui/units.h"

namespace maui {

class ClockSteps;
class Cluster;
class Dependencies;
class FairshareLedger;
class JobDoubts;
class ManagerContact;
class ReportedNodes;
class RunTimeLearning;
struct EngineTools;
struct Plan;
struct JobReport;
struct Settings;
struct Statistics;

struct ReportedRun {
  JobState state = JobState::running;  // running, starting or suspended
  const std::vector<std::string>& task_list;
  Time started = kForever;          // kForever: unknown
  Seconds suspended_time{0};        // including a suspension that still lasts, and clock_set
  Seconds clock_set{0};             // Job::clock_set
  Seconds clock_ahead{0};           // Job::clock_ahead
  Time suspended_since = kForever;  // kForever: unknown
  SuspensionReason reason = {};     // of its suspension, as far as that is known
  JobUse use{};                     // what it has used
  Seconds used_run{0};              // run time when that was measured; 0: it was not
  bool backfilled = false;          // it is known to have been started by backfill
};

/// Returns the run of a job in its report.  The report must outlive it.
ReportedRun run_in(const JobReport& report);

/// By how much later than by the clock as it now stands the start of a run is dated.
struct Early {
  Seconds set_back{0};     // the clock was set back since then
  Seconds clock_ahead{0};  // its resource manager's clock is ahead
  Seconds all() const { return set_back + clock_ahead; }
};

/// Returns that of a start that was requested before the clock was set back; the run did not begin
/// before the request.  `requested`: the job while it was starting.
Early dated_ahead(Time started, const Job& requested, Time now);

class RunningJobs {
 public:
  RunningJobs(const EngineTools& tools, ReportedNodes& nodes, JobDoubts& doubts);

  /// Makes a waiting job active or suspended as reported.  Returns false if the job does not wait,
  /// or if the report does not say where it runs.  Of a run that was partly accounted, only the
  /// rest is adopted.
  bool adopt(JobId job, const ReportedRun& run);
  /// As adopt(); a job that cannot be adopted is held, as it must not be started meanwhile.
  void sync(JobId job, const ReportedRun& run);
  /// Moves an active job to the nodes on which it is reported to run.
  void note_where(JobId job, const std::vector<std::string>& task_list);
  /// Returns by how much the clock was set forward since the start of a run of which nothing was
  /// known before: it began since the last answer of the job's resource manager, and may be dated
  /// by the clock as it stood then.
  Seconds set_forward_since(JobId job, Time started) const;
  /// Notes what the job had used after it had run for `run`, before this scheduler knew it.
  void note_use(JobId job, JobUse use, Seconds run);
  /// Notes that a starting job runs since `since`, as reported, and refunds fairshare use charged
  /// before then.
  void note_running(JobId job, Time since);

 private:
  Early early(JobId job, Time started) const;
  void bound_suspension(JobId job, ReportedRun& run) const;

  const EngineTools& tools_;
  ReportedNodes& nodes_;
  JobDoubts& doubts_;
  Cluster& cluster_;
  const Settings& settings_;
  const ClockSteps& clock_steps_;
  const ManagerContact& managers_;
  Plan& plan_;
  Statistics& statistics_;
  FairshareLedger& fairshare_;
  RunTimeLearning& learning_;
  Dependencies& dependencies_;
};

}  // namespace maui
