// The state that only the scheduler knows, from which the next scheduler continues
// (appendix F: CHECKPOINTFILE).
//
// It has the properties of jobs that a resource manager does not report again; administrative and
// standing reservations; statistics; requests to the allocation manager.  Fairshare has its own
// files; the checkpoint has it as of the same time as the rest. Priority reservations are not kept:
// the first iteration makes them anew.  The text uses names, since ids end with the process.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/accounts/ended_jobs.h"
#include "engine/accounts/idle_charges.h"
#include "engine/accounts/reservation_use.h"
#include "engine/accounts/statistics.h"
#include "engine/actions/triggers.h"
#include "engine/actions/unanswered_requests.h"
#include "engine/clock_steps.h"
#include "learning/run_time_learning.h"
#include "maui/allocation_manager.h"
#include "maui/cluster.h"
#include "maui/fairshare.h"
#include "maui/resource_manager.h"
#include "maui/result.h"
#include "maui/run_identity.h"

namespace maui {

/// How late an end may be reported, and how far clocks may differ or step, before a job is mistaken
/// for another, or accounted twice or not at all.
inline constexpr Seconds kClocks{600};
/// True if two times by different clocks may be the same.
inline bool about(Time a, Time b) { return std::max(a - b, b - a) <= kClocks; }

/// Tasks on a node that is given by name, since it may not be known yet when this is read.
struct NamedShare {
  std::string node;
  std::int32_t tasks = 0;
  std::uint32_t requirement = 0;
  friend bool operator==(const NamedShare&, const NamedShare&) = default;
};

/// CheckpointedJob::partition of a run that spans partitions.
inline constexpr std::string_view kSeveralPartitions = "[ALL]";

struct CheckpointedJob {
  std::string name;
  std::string manager;  // its resource manager; empty in a checkpoint of an earlier version
  Time submitted{0};    // a job of this name with another submit time is another job
  Time seen{0};         // when the scheduler last knew the job
  std::uint8_t holds = 0;
  HoldReason hold_reason;
  bool request_excused = false;  // as in Job
  JobFailures failures;
  SystemPriority priority;
  std::string qos;         // as set by setqos; empty: not set
  std::string account;     // BANKFALLBACKACCOUNT if the job was moved to it, else empty
  std::string site_words;  // of JOBATTRIBUTEPROGRAM, included in its request; empty: none
  Time queued{0}, eligible_since{0};
  std::int32_t bypass = 0, start_count = 0;
  Seconds kept_run{0};
  bool being_cancelled = false;          // the resource manager has not answered
  bool past_limit = false;               // that is why the job is being cancelled
  std::vector<LastingRequest> requests;  // likewise: others by commands, in their order
  Time requeue_asked = kForever;         // the resource manager has not answered
  Time accounted_until{0};               // its runs until then are accounted
  bool backfilled = false;               // started by backfill
  Time promised = kForever;              // as in RunTimes, like the next two
  bool promised_last = false;
  Seconds fair_wait = kUnlimited;  // as in RunTimes
  Time reserved = kForever;        // start of its priority reservation, if these are kept
  std::vector<NamedShare> reserved_on;
  std::vector<std::string> met_dependencies;  // as dependency_text() writes them
  /// The report with the place and start of the run: enough to account the run if no resource
  /// manager reports it any more.  Null: the job does not run.
  std::shared_ptr<const JobReport> run;
  /// How that run shares its nodes.  Absent in a checkpoint of an earlier version.
  std::optional<JobAccess> access;
  std::string partition;  // of its nodes; kSeveralPartitions; empty: DEFAULT, or not known
  Seconds charged{0};     // of that run, in Checkpoint::fairshare
  std::optional<double> charged_cpu;  // its CPU seconds in there (FSPOLICY UTILIZEDPS), if known
  /// ClockSteps::sum() when the job was saved, if that was after its checkpoint.
  std::optional<Seconds> clock_sum;
};

struct CheckpointedReservation {
  Reservation terms;  // without the nodes
  std::vector<NamedShare> shares;
  Triggers::Life life;
  ReservationUses::Use use = {};  // by the time of the checkpoint
};

/// How the machine's clock stands to one that cannot be set.
struct ClockReference {
  std::string boot;  // the boot of the machine; empty: unknown
  /// The time that the machine's clock shows, less the time that has passed since that boot.
  std::chrono::milliseconds ahead{0};
};

/// A run that the statistics files contain, with the times of its record.
struct RunOnFile {
  /// Its job as a checkpoint would have had it during the run; null: the record does not tell, and
  /// the run is accounted once its job is reported.
  std::shared_ptr<const CheckpointedJob> job;
  std::string name;
  std::string manager;  // its resource manager; empty: not known
  Time submitted{0};
  Time started = kForever;  // kForever: the job did not run
  Time ended{0};
  Time reported_start = kForever;  // as its resource manager dates it
  Time began = kForever;           // by the steady clock
  Seconds suspended{0};            // between these
  bool completed = false;          // else it was removed
  Seconds clock_sum{0};            // ClockSteps::sum() when it was recorded
  /// Returns for how long it was suspended; steps of the clock do not count.
  Seconds suspensions() const {
    return std::max(suspended - (clock_sum - (started - began)), Seconds(0));
  }
  /// Requires that the job ran.
  RunIdentity identity() const {
    return {name, manager, {began, began + (ended - started - suspended)}};
  }
};

struct Checkpoint {
  Time when{0};  // statistics are complete until then
  std::vector<CheckpointedJob> jobs;
  /// How long the statistics files were, by name: it counts the records up to there.  Absent in a
  /// checkpoint of an earlier version.
  std::optional<std::map<std::string, std::uint64_t>> records;
  /// Runs that have a record which it does not count.  Those that were recorded after it was
  /// written are not in the text, but in the files.
  std::vector<RunOnFile> recorded;
  /// Runs that have a record which it counts; not in the text, but in the files.
  std::vector<RunOnFile> counted;
  /// Jobs that have been accounted recently.
  struct Ended {
    Time accounted{0};  // when it was accounted
    std::string name;
    Time submitted{0};
    std::string manager;    // its resource manager
    Time ran_until{0};      // 0: it did not run
    bool given_up = false;  // its end was not reported: it may have run on
    std::string user = {};  // empty in a checkpoint of an earlier version
  };
  std::vector<Ended> ended;
  std::vector<EndedJob> completed;  // ended jobs that clients are shown
  /// Why waiting jobs have waited so far, in the text of src/history, which keeps it.
  struct Waited {
    std::string job;
    Time submitted{0};
    std::string why;
    friend bool operator==(const Waited&, const Waited&) = default;
  };
  std::vector<Waited> waited;
  std::map<std::string, Time> heard;                  // by resource manager: its last answer
  std::map<std::string, Time> heard_before;           // as ManagerContact::heard_before()
  ClockStep clock_step;                               // the last one; absent: none is known
  std::deque<ClockStep> earlier_steps;                // as ClockSteps::earlier()
  Seconds clock_sum{0};                               // as ClockSteps::sum()
  std::vector<CheckpointedReservation> reservations;  // in order of creation
  /// A period for which a standing reservation is not made again, as long as it has these terms.
  struct Waived {
    std::string standing;
    Time period{0};
    std::string terms;  // terms_text(); empty in a checkpoint of an earlier version
  };
  std::vector<Waived> waivers;
  Time triggers_asked{-1};  // triggers of reservations that were due by then have gone off
  /// Future triggers of reservations that have ended; these are stored without nodes.
  std::vector<Triggers::Later> triggers_later;
  std::vector<std::pair<std::string, int>> reservation_numbers;
  Statistics statistics;
  /// As of the time of the checkpoint; absent in a checkpoint of an earlier version.
  std::optional<FairshareHistory> fairshare;
  std::vector<Time> unwritten;  // the starts of its windows whose files could not be written
  bool in_good_order = false;   // the scheduler shut down with it, and its files agree with it
  std::optional<RunTimeLearning::Memory> learned;  // absent in a checkpoint of an earlier version
  std::vector<AllocationRequest> charges;          // not yet taken by the allocation manager
  std::vector<IdleCharge> idle;                    // of chargeable reservations, until `when`
  ClockReference clock;                            // the clock by which all this is dated
  /// All messages from other hosts that have counted, or that others may have kept, were signed
  /// before then, by the clocks of their senders; 0 in a checkpoint of an earlier version.
  Time end_of_messages{0};
};

/// Returns a text that differs if the settings of a standing reservation do.
std::string terms_text(const Cluster& names, const StandingReservationSettings& settings);

/// Returns by how much the machine's clock was set between the two; 0 if unknown, because the
/// machine has been rebooted since.
Seconds clock_set_between(const ClockReference& before, const ClockReference& now);
/// Shifts the end of a run to the clock as it now stands.
void shift(Checkpoint::Ended& ended, Seconds by);
/// Shifts saved intervals as if they had been written by the clock as it now stands.
void shift(CheckpointedJob& saved, Seconds by);
void shift(Checkpoint& checkpoint, Seconds by);

/// Returns the state of a job that its resource manager will not, or may not, report again.
CheckpointedJob checkpointed(const Cluster& cluster, const Job& job, Time now);
std::vector<NamedShare> shares_of(const Cluster& cluster, const Reservation& reservation);
CheckpointedReservation checkpointed(const Cluster& cluster, const Reservation& reservation);

/// Restores the saved state of a job that is reported again, before it is added to the cluster.
/// Requires that `saved` is of this job.  The caller restores QOS, account and run.
void restore(const CheckpointedJob& saved, Job& job);

/// Returns a job as it is in checkpoint_text(): one line, without its end.
std::string job_line(const Cluster& names, const CheckpointedJob& saved);
/// Reads such a line; interns its credentials in `names`.
Result<CheckpointedJob> read_job_line(std::string_view line, ClusterNames& names);
/// Adds what was saved of jobs since the checkpoint, in that order: the last state of a job counts.
void add_later(Checkpoint& checkpoint, std::vector<CheckpointedJob> jobs);
/// True if these would not suffice beside the last checkpoint: earlier runs of the jobs have been
/// accounted since, which only another checkpoint knows.  `accounted`: the names of all such jobs.
bool need_checkpoint(const std::vector<CheckpointedJob>& jobs,
                     const std::set<std::string>& accounted);

/// A checkpoint as JSON, of which jobs and waits are added one by one: there may be a hundred
/// thousand, and clients wait meanwhile.
class CheckpointText {
 public:
  /// `size`: about how long the text will be, so that it does not have to move as it grows.
  explicit CheckpointText(const Cluster& names, std::size_t size = 0) : names_(names) {
    text_.reserve(size);
  }
  /// All jobs must be added before the first wait.
  void add(const CheckpointedJob& job);
  void add_wait(std::string_view job, Time submitted, std::string_view why);
  /// Returns the whole text, with all of `rest` but its jobs and waits.
  std::string finish(const Checkpoint& rest);

 private:
  void end_jobs();

  const Cluster& names_;
  std::string text_ = "{\"jobs\":";
  std::size_t jobs_ = 0, waits_ = 0;
};

/// Returns the checkpoint as JSON.
std::string checkpoint_text(const Cluster& names, const Checkpoint& checkpoint);
/// Reads a checkpoint; interns its credentials in `names`.  Restores the counts of showgrid only
/// if `plot` is unchanged.  After an error, which says what is wrong, nothing may be used.
Result<Checkpoint> read_checkpoint_text(std::string_view text, const PlotSettings& plot,
                                        ClusterNames& names);

}  // namespace maui
