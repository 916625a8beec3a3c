// Jobs that are reported otherwise than they are known, until one of both is believed
// (JOBSYNCTIME, JOBPURGETIME).
//
// A state that was not expected is believed once it has been reported for
// JOBSYNCTIME: what was asked for may take that long to show.  Resource managers that are known to
// show it at once are believed at once.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "maui/job.h"
#include "maui/units.h"

namespace maui {

class Allocations;
class ClockSteps;
class Cluster;
class DoubtedJobs;
class FailedStarts;
class Holds;
class JobEnds;
class Launches;
class ManagerContact;
class Preemptions;
class RefusedStarts;
class RunTimeLearning;
struct EngineTools;
struct Plan;
struct Settings;
struct Statistics;

class JobDoubts {
 public:
  JobDoubts(const EngineTools& tools, Holds& holds, Allocations& allocations,
            FailedStarts& failed_starts, Launches& launches, JobEnds& job_ends,
            Preemptions& preemptions);

  /// True if what the job's resource manager reports is not to be doubted (Update::certain).
  bool is_certain(const Job& job) const;
  /// It may run already: it is held unless it is so for that already.
  void doubt(JobId job, std::string_view why);
  /// Takes off a hold that an impossible reported state had brought: the state is possible now.
  void trust(JobId job);

  /// It is reported in a state that is not the one known.
  void note_unexpected(JobId job, JobState reported);
  /// It was known to run before this scheduler began, and has been reported as waiting since then.
  void note_restored(JobId job, Time since);
  /// Forgets that other states than this were reported of it.
  void note_state(JobId job, JobState reported);
  /// A server that keeps the waiting tasks of an array as one job starts one of them under a name
  /// of its own, where that job was to start: the others wait again.
  void resolve_split(const Job& runs, const std::vector<std::string>& task_list);
  /// Believes what has been reported for long enough.
  void resolve_unexpected();
  /// The job is in that state.
  void believe(JobId job, JobState reported);

  /// It is reported no longer; it was known to be there at `last_known`.
  void note_lost(JobId job, Time last_known);
  /// It is reported.
  void note_found(JobId job);
  /// Ends those that have been lost for long enough.
  void resolve_lost();

 private:
  void forgive_split(const Job& runs, const std::vector<std::string>& task_list);

  const EngineTools& tools_;
  Holds& holds_;
  Allocations& allocations_;
  FailedStarts& failed_starts_;
  Launches& launches_;
  JobEnds& job_ends_;
  Preemptions& preemptions_;
  Cluster& cluster_;
  const Settings& settings_;
  Plan& plan_;
  const ManagerContact& managers_;
  const ClockSteps& clock_steps_;
  Statistics& statistics_;
  RunTimeLearning& learning_;
  RefusedStarts& refused_starts_;
  DoubtedJobs& unexpected_;  // their states as reported are not the ones that are known
  DoubtedJobs& lost_;        // they are reported no longer
};

}  // namespace maui
