// The state that the scheduler alone knows, for the one that is started next to go on with
// (appendix F: CHECKPOINTFILE).
//
// It has those properties of jobs that a resource manager does not report again; administrative and
// standing reservations; statistics; requests to the allocation manager.  Fairshare has files of
// its own; here it stands as it was when all else was so. Priority reservations are not kept: the
// first iteration makes them anew.  In the text things are named, since ids end with the process.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/accounts/ended_jobs.h"
#include "engine/accounts/idle_charges.h"
#include "engine/accounts/statistics.h"
#include "engine/actions/triggers.h"
#include "learning/run_time_learning.h"
#include "maui/allocation_manager.h"
#include "maui/cluster.h"
#include "maui/fairshare.h"
#include "maui/resource_manager.h"
#include "maui/result.h"

namespace maui {

/// How late an end may be reported, and how far clocks may differ or jump, before a job is taken
/// for another, accounted twice or not at all.
inline constexpr Seconds kClocks{600};
/// True if these may be the same moment by two clocks.
inline bool about(Time a, Time b) { return std::max(a - b, b - a) <= kClocks; }

/// The nodes may not be known yet when it is read: they are given by name.
struct NamedShare {
  std::string node;
  std::int32_t tasks = 0;
  std::uint32_t requirement = 0;
  friend bool operator==(const NamedShare&, const NamedShare&) = default;
};

struct CheckpointedJob {
  std::string name;
  Time submitted{0};  // a job of this name that came at another time is another job
  Time seen{0};       // when it was known last
  std::uint8_t holds = 0;
  HoldReason hold_reason;
  JobFailures failures;
  SystemPriority priority;
  std::string qos;      // given by setqos; empty: none was
  std::string account;  // BANKFALLBACKACCOUNT, if it was put on that; else empty
  Time queued{0}, eligible_since{0};
  std::int32_t bypass = 0, start_count = 0;
  Seconds kept_run{0};
  bool backfilled = false;         // started by backfill
  Time promised = kForever;        // as RunTimes has it
  Seconds fair_wait = kUnlimited;  // the same
  Time reserved = kForever;        // its priority reservation, where these are kept
  std::vector<NamedShare> reserved_on;
  std::vector<std::string> met_dependencies;  // as dependency_text() writes them
  /// The report that says where and since when it runs: enough to account it, should nobody
  /// report it any more.  Null: it does not.
  std::shared_ptr<const JobReport> run;
  Seconds charged{0};  // of that run, in Checkpoint::fairshare
};

struct CheckpointedReservation {
  Reservation terms;  // all but the nodes
  std::vector<NamedShare> shares;
  Triggers::Life life;
};

/// A run of the machine since it was switched on, and how long it has lasted, by a clock that
/// nobody sets.
struct Boot {
  std::string id;  // empty: not known
  Seconds lasted{0};
};

struct Checkpoint {
  Time when{0};  // until when statistics are complete
  std::vector<CheckpointedJob> jobs;
  /// Jobs that have been accounted, of late.
  struct Ended {
    Time accounted{0};  // when
    std::string name;
    Time submitted{0};
    std::string manager;  // its resource manager
  };
  std::vector<Ended> ended;
  std::vector<EndedJob> completed;  // what people are shown of those that ended
  /// Why waiting jobs have waited so far, as whoever keeps that writes it (src/history).
  struct Waited {
    std::string job;
    Time submitted{0};
    std::string why;
    friend bool operator==(const Waited&, const Waited&) = default;
  };
  std::vector<Waited> waited;
  std::map<std::string, Time> heard;                  // resource managers: when they answered last
  std::vector<CheckpointedReservation> reservations;  // in order of creation
  std::vector<Cluster::Waiver> waivers;
  Time triggers_asked{-1};  // those of reservations that were due by then have gone off
  /// Triggers still to come of reservations that have ended, which are without nodes.
  std::vector<Triggers::Later> triggers_later;
  std::vector<std::pair<std::string, int>> reservation_numbers;
  Statistics statistics;
  /// As of then, while the files go on; nothing: a checkpoint of an earlier version.
  std::optional<FairshareHistory> fairshare;
  bool in_good_order = false;  // the scheduler ended with it, and with the same in its files
  std::optional<RunTimeLearning::Memory> learned;  // nothing: that of an earlier version
  std::vector<AllocationRequest> charges;          // the allocation manager has not taken them yet
  std::vector<IdleCharge> idle;                    // of chargeable reservations, until `when`
  Boot boot;                                       // when it was written
  Time written{0};                                 // the machine's clock then
};

/// By how much the machine's clock was set since it was written; 0 where nobody can know, since the
/// machine was switched off meanwhile.
Seconds clock_set_since(const Checkpoint& checkpoint, const Boot& boot, Time now);
/// Shifts saved intervals as if they had been written by the clock as it stands now.
void shift(Checkpoint& checkpoint, Seconds by);

/// All of a job that its resource manager will not report again, or may not.
CheckpointedJob checkpointed(const Cluster& cluster, const Job& job, Time now);
std::vector<NamedShare> shares_of(const Cluster& cluster, const Reservation& reservation);
CheckpointedReservation checkpointed(const Cluster& cluster, const Reservation& reservation);

/// Before it is added to the cluster: makes a job that is reported again what it was.  Requires
/// that it was saved of this job.  QOS, account and run are left to the caller.
void restore(const CheckpointedJob& saved, Job& job);

/// JSON.
std::string checkpoint_text(const Cluster& names, const Checkpoint& checkpoint);
/// Credentials become known to `names`.  What showgrid has counted is taken up if `plot` is what it
/// was.  An error says what is not as it should be; then nothing of it is to be used.
Result<Checkpoint> read_checkpoint_text(std::string_view text, const PlotSettings& plot,
                                        Cluster& names);

}  // namespace maui
