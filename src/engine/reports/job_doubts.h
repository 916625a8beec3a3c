// Jobs whose reported state differs from the known one, until one of the two is believed
// (JOBSYNCTIME, JOBPURGETIME).
//
// An unexpected state is believed after it has been reported for JOBSYNCTIME, since a request may
// take that long to take effect in reports.  A resource manager that is known to report effects at
// once is believed at once.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "maui/job.h"
#include "maui/units.h"

namespace maui {

class ClockSteps;
class Cluster;
class DoubtedJobs;
class FailedStarts;
class GivenBackRuns;
class Holds;
class JobEnds;
class Launches;
class ManagerContact;
class Preemptions;
class RefusedStarts;
class UnansweredRequests;
struct DoubtedJob;
struct DoubtedRun;
struct EngineTools;
struct Plan;
struct Settings;

class JobDoubts {
 public:
  JobDoubts(const EngineTools& tools, Holds& holds, GivenBackRuns& given_back,
            FailedStarts& failed_starts, Launches& launches, JobEnds& job_ends,
            Preemptions& preemptions);

  /// True if the reports of the job's resource manager are not to be doubted (Update::certain).
  bool is_certain(const Job& job) const;
  /// Holds the job, which may run already, unless it is held for that reason already.
  void doubt(JobId job, std::string_view why);
  /// Lifts the hold that an impossible reported state caused: the state is possible now.
  void trust(JobId job);

  /// Notes that the job's reported state is not the known one.
  void note_unexpected(JobId job, JobState reported);
  /// Notes that a job known to run before this scheduler started is reported idle since `since`.
  void note_restored(JobId job, Time since);
  /// If the active job was reported as idle meanwhile and now runs since a later start, ends its
  /// earlier run at the time until which it was known to run, and returns true.
  bool end_earlier_run(JobId job, Time started);
  /// Forgets doubts about the job that are based on other reported states than `reported`.
  void note_state(JobId job, JobState reported);
  /// Handles an array whose waiting tasks a server keeps as one job: the server starts a task under
  /// a name of its own, on the nodes meant for that job.  The other tasks wait again.
  void resolve_split(const Job& runs, const std::vector<std::string>& task_list);
  /// Believes states that have been reported for long enough.
  void resolve_unexpected();
  /// Lets the job wait, as it has been reported to do since then.
  void believe_idle(JobId job, Time since);
  /// Believes, of a job that has just ended, the state that was reported last: its run is as long
  /// as the reports showed it.  If no report has followed a suspension of which the answer was
  /// lost, the job was suspended since that was asked for.
  void believe_last(JobId job, Time ended);

  /// Notes that the job is not reported, of which was last known at `last_known`.  `restored`: by
  /// an earlier scheduler, and this one has never had a report of it.
  void note_lost(JobId job, Time last_known, bool restored);
  /// Ends a lost job at once, when it was last known.
  void give_up(JobId job);
  /// Notes that the job is reported again, in that state if that is reported.
  void note_found(JobId job, std::optional<JobState> reported);
  /// Ends jobs that have been lost for long enough, then calls `next`.
  void resolve_lost(std::function<void()> next);

 private:
  /// Puts the job into the state that has been reported since then.
  void believe(const DoubtedJob& doubted);
  void suspend(JobId job, const DoubtedRun& run);
  void believe_until(const DoubtedJob& doubted, Time until);
  void end_lost(const DoubtedJob& missing);
  void forgive_split(const Job& runs, const std::vector<std::string>& task_list);

  const EngineTools& tools_;
  Holds& holds_;
  GivenBackRuns& given_back_;
  FailedStarts& failed_starts_;
  Launches& launches_;
  JobEnds& job_ends_;
  Preemptions& preemptions_;
  Cluster& cluster_;
  const Settings& settings_;
  Plan& plan_;
  const ManagerContact& managers_;
  const ClockSteps& clock_steps_;
  RefusedStarts& refused_starts_;
  DoubtedJobs& unexpected_;  // their reported states differ from the known ones
  DoubtedJobs& lost_;        // no longer reported
  const UnansweredRequests& requests_;
};

}  // namespace maui
