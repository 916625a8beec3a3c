// Ends a job: accounts and charges it, learns from it, notifies observers of the end, and removes
// it from the cluster.
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/accounts/ended_jobs.h"
#include "engine/accounts/lately_ended.h"
#include "engine/checkpoint/checkpoint.h"
#include "maui/job.h"
#include "maui/units.h"

namespace maui {

class Allocations;
class ClockSteps;
class Cluster;
class Dependencies;
class Entitlements;
class FairshareLedger;
class ManagerContact;
class RefusedStarts;
class Reservations;
class RunTimeLearning;

struct EngineTools;
struct JobEnd;
struct Plan;
struct Settings;
struct Statistics;

class JobEnds {
 public:
  JobEnds(const EngineTools& tools, Reservations& reservations, Entitlements& entitlements,
          Allocations& allocations);

  void end(JobId job, JobState state, Time when, int exit_code = 0);
  /// The same for a job of which the statistics files have the record already.  `given_up`: it may
  /// have run on.
  void end_recorded(JobId job, JobState state, Time when, int exit_code, bool given_up);
  /// The same as its resource manager reports it, perhaps by the clock as it stood before it was
  /// set, or by a clock of its own.
  void end_as_reported(JobId job, const JobEnd& ended);
  /// `seen`: when the run was last known to go on.
  void end_as_reported(JobId job, const JobEnd& ended, Time seen);
  /// Ends a job that is no longer reported, and that was last known at `when`.  What it turns out
  /// to have run since then counts as another run.
  void give_up(JobId job, Time when);
  /// Handles the confirmed cancellation of a job: the job ends if it waits.
  void end_in_queue(JobId job);

  /// Notes that the scheduler has this run cancelled, and why: of_late() has the reason of the
  /// first cancellation once the run has ended, unless the job ended well.
  void note_cancellation(const RunKey& run, std::string why);
  /// Forgets the above: the cancellation was refused.
  void forget_cancellation(const RunKey& run);

  /// Returns jobs that ended recently, for queries.
  const std::deque<EndedJob>& of_late();
  /// Returns the jobs accounted in the last minutes, so that none is accounted twice.
  std::vector<Checkpoint::Ended> accounted() const { return accounted_.all(); }
  /// Returns the job among accounted() that was submitted at about that time; nullptr: there is
  /// none.  If there are several, the one that was submitted then, or else the last.
  const Checkpoint::Ended* accounted(const std::string& name, const std::string& manager,
                                     const std::string& user, Time submitted) const;
  /// Shifts the times of the accounted jobs by a step of the clock.
  void clock_stepped(Seconds by) { accounted_.shift(by); }
  /// Drops those accounted jobs that no resource manager reports any more.
  void forget_accounted();
  void restore(std::vector<Checkpoint::Ended> accounted, std::vector<EndedJob> of_late);

 private:
  struct Cancellation {
    RunKey run;
    std::string why;
  };

  /// The part of the account of a job that is yet to be done: all; all but its record; nothing.
  enum class Account : std::uint8_t { due, on_file, done };
  void end(JobId job, JobState state, Time when, int exit_code, Account account);
  std::string user_of(const Job& job) const;
  bool was_accounted(const Job& job, Time when) const;
  std::string take_cancellation(const RunKey& run);
  Time last_known(const Job& job) const;
  Time end_of_run(JobId job, const JobEnd& ended, Time seen);
  void believe_clock(JobId job, const JobEnd& ended);
  void believe_length(JobId job, const JobEnd& ended);
  bool is_by_another_clock(const Job& job, Time when, Time heard) const;
  void warn_of_unreported_use(const Job& job, Time ended);
  void account(JobId job, Time when, Account account);
  void charge(JobId job, JobState final_state, Time when);

  const EngineTools& tools_;
  Reservations& reservations_;
  Entitlements& entitlements_;
  Allocations& allocations_;
  Cluster& cluster_;
  const Settings& settings_;
  Plan& plan_;
  const ClockSteps& clock_steps_;
  const ManagerContact& managers_;
  Statistics& statistics_;
  FairshareLedger& fairshare_;
  RunTimeLearning& learning_;
  RefusedStarts& refused_starts_;
  Dependencies& dependencies_;
  std::set<std::string>& unreported_use_;    // resource managers that report no use
  std::map<JobId, Cancellation> cancelled_;  // by job: the run that was cancelled
  EndedJobs of_late_;
  LatelyEnded accounted_;
};

}  // namespace maui
