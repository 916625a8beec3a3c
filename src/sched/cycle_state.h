// A cycle under way: what its phases share.
//
// The listing of the phases is cycle.cc; each works on this state and writes
// into the plan.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "maui/cluster.h"
#include "maui/plan.h"
#include "maui/settings.h"
#include "sched/availability/timeline.h"
#include "sched/limits/reserved_limits.h"
#include "sched/limits/throttling.h"
#include "sched/placement/feasible_requests.h"
#include "sched/rules/job_flags.h"
#include "sched/rules/partition_policies.h"

namespace maui {

/// All that outlives a cycle: memory, and judgements that stay true while requests and nodes do.
class CycleMemory {
 public:
  Timeline timeline;
  /// The misfits among jobs with one request; known in that round only.
  static constexpr char kFitsNowhere = 1, kFitsNoSet = 2;
  struct Misfit {
    std::uint64_t round = 0;
    char where = 0;       // whoever asks
    bool looked = false;  // whether there is room for any of them
  };
  std::vector<Misfit> misfits;                     // by request
  std::vector<std::vector<bool>> misfits_of_sets;  // by request and access set
  std::uint64_t round = 0;                         // grows when they are forgotten
  static constexpr AccessSet kNotLookedUp = ~AccessSet{0};
  std::vector<AccessSet> access;  // by rank: the set of the job if it stays for its limit
  std::shared_ptr<FeasibleRequests> feasible = std::make_shared<FeasibleRequests>();
  std::vector<std::size_t> candidates;

  LimitRules& limit_rules(const Cluster& cluster, const Settings& settings) {
    if (!limit_rules_ || !limit_rules_->hold_for(cluster, settings))
      limit_rules_.emplace(cluster, settings);
    return *limit_rules_;
  }

 private:
  std::optional<LimitRules> limit_rules_;
};

/// A suspended job: its nodes are kept for it.
struct Pin {
  JobId job;
  std::int64_t priority = 0;
  Request rest;           // its request with what is left of the limit
  Time start = kForever;  // from when on; kForever: nothing can be kept
};

class CycleState {
 public:
  CycleState(CycleMemory& memory, const Cluster& cluster, const Settings& settings, Time now);

  const Cluster& cluster() const { return cluster_; }
  const Settings& settings() const { return settings_; }
  Time now() const { return now_; }
  Timeline& timeline() { return memory_.timeline; }
  std::vector<std::size_t>& candidates() { return memory_.candidates; }
  FeasibleRequests& feasible() { return *memory_.feasible; }
  Plan& plan() { return plan_; }
  std::vector<Pin>& pins() { return pins_; }

  std::size_t jobs() const { return plan_.order.size(); }
  const Job& job(std::size_t rank) const { return cluster_.job(plan_.order[rank].job); }
  const Request& request(std::size_t rank) const {
    return cluster_.request(plan_.order[rank].request);
  }
  BackfillPolicy backfill_policy(std::size_t rank) const {
    return maui::backfill_policy(cluster_, settings_, request(rank));
  }
  Reason& reason(std::size_t rank) { return plan_.reasons[rank]; }
  /// The job may have other shapes than that of its request.
  bool has_alternatives(std::size_t rank) const {
    return plan_.order[rank].special && !job(rank).alternatives.empty();
  }
  /// Still to be decided: neither started, nor reserved, nor held back.
  bool open(std::size_t rank) const { return plan_.reasons[rank] == Reason::not_reached; }

  /// Limits of active jobs, at the level that stands; usage grows as jobs start.
  Throttling& throttling() { return throttling_; }
  Strictness level() const { return level_; }
  void set_level(Strictness level) { level_ = level; }
  /// The job would pass a limit: its reason is then Reason::policy, and it is not open any more.
  bool held_by_limits(std::size_t rank) { return throttling_.any() && passes_limits(rank); }
  /// The same once its nodes are known; or a reserved job would, when its time comes.
  bool held_by_limits(std::size_t rank, const Request& shape, const Placement& placement);
  /// True if a job may have these nodes now, as far as limits go, its own and those of reserved
  /// jobs.
  bool within_limits(const Job& job, const Request& shape, const Placement& placement);
  /// The earliest place for the job in that time in which it is within limits; where these are why
  /// there is none, its reason is then Reason::policy.
  std::optional<Slot> first_slot(std::size_t rank, Time not_after = kForever);
  /// It had a priority reservation when the cycle began, and where it is kept.
  const Reservation* reserved_before(std::size_t rank) const;
  /// An active job leaves its nodes for another.
  void leave(const Job& job);
  /// The job gives up the place that it is reserved for.
  void release(std::size_t rank);
  /// The same of a job that is not considered, if it has one.
  void give_up(JobId id);
  /// From now on only hard limits count; what soft ones held back is open again.  False: nothing.
  bool relax();

  /// Starts the job if it fits now, on nodes that are free for `at_least`, and passes no limit.
  bool start(std::size_t rank, Seconds at_least, bool backfilled);
  /// Is it known already that the job does not fit?  What does not fit once in a cycle does not fit
  /// later in it: a cycle only ever takes resources.
  bool known_not_to_fit(std::size_t rank);
  /// Nor does any other job that asks for the same, whoever's it is.
  bool fits_for_nobody(std::size_t rank);
  /// Finds out whether there is room for any job with this request, when it is asked of the first
  /// one: that costs less than an attempt to start it.  True: none of them fits.
  bool finds_no_room(std::size_t rank);
  /// Under these settings, jobs with one request may all be backfilled, or none, as far as limits
  /// let them, but for special ones (Waiting::special) and for those that wait for a node set.
  bool requests_decide() const;
  enum class Fit : char { unknown, nowhere, maybe };
  /// Returns what is known of all jobs with this request, where requests decide.
  Fit fit_of(RequestId request) const {
    const auto& known = memory_.misfits[request.index()];
    if (known.round != memory_.round || !known.looked) return Fit::unknown;
    if (known.where != 0)
      return known.where == CycleMemory::kFitsNowhere ? Fit::nowhere : Fit::unknown;
    return special_misfits_.empty() ? Fit::maybe : Fit::unknown;
  }
  /// Forgets what did not fit: the next question is another one.
  void forget_misfits();
  /// Idle processors that this cycle has left.
  std::int64_t free_procs() const { return free_procs_; }
  bool anything_free() const { return free_procs_ > 0; }

  /// The set that a job is of if it starts now.
  AccessSet access_now(std::size_t rank) {
    return timeline().access_sets().when(access_of(rank), now_, request(rank).limit);
  }

  /// NOBF, NORESERVATION and RESERVEALWAYS (guide 7.3.2.2).
  bool no_backfill(std::size_t rank) const { return flagged(rank, JobFlag::no_backfill); }
  bool no_reservation(std::size_t rank) const { return flagged(rank, JobFlag::no_reservation); }
  bool reserves_always(std::size_t rank) const { return flagged(rank, JobFlag::reserve_always); }
  /// USERESERVED and ADVRES, and there is no reservation that admits the job.
  bool confined_to_nothing(std::size_t rank) {
    auto& sets = timeline().access_sets();
    return flags().confined(job(rank)) && sets.nowhere(sets.of(job(rank)));
  }
  /// The flags in force.
  const JobFlags& flags() const { return memory_.timeline.flags(); }

  /// Notes a start or a reservation in timeline and plan.
  void commit_start(std::size_t rank, Slot slot, bool backfilled, std::size_t alternative,
                    const Request& request);
  void commit_reservation(std::size_t rank, const Slot& slot);
  /// The reserved job, which has just given up its place, has that one.
  void hold_reserved(std::size_t rank, const Slot& slot);
  /// Notes in the plan that a suspended job, which is pinned, goes on.
  void commit_resume(const Pin& pin);

 private:
  bool flagged(std::size_t rank, JobFlag flag) const {
    return flags().possible(flag) && flags().has(job(rank), flag);
  }
  /// The set of the job if it stays for its limit.  Looked up once in a cycle: jobs are large, and
  /// many.
  AccessSet access_of(std::size_t rank);
  CycleMemory::Misfit& misfit(std::size_t rank) {
    auto& found = memory_.misfits[plan_.order[rank].request.index()];
    if (found.round != memory_.round) found = {memory_.round};
    return found;
  }
  std::uint64_t special_key(std::size_t rank);
  /// True if others with the same request and access may fit where this job does not.
  bool special(std::size_t rank) const {
    return memory_.timeline.users_matter() || request(rank).node_set.has_value();
  }
  bool passes_limits(std::size_t rank);
  void note_misfit(std::size_t rank);
  /// It would not end by its completion date; always false.
  bool out_of_time(std::size_t rank);
  bool start_alternative(std::size_t rank, Seconds at_least, bool backfilled);
  bool start_elsewhere(std::size_t rank, PartitionId full, Seconds at_least, bool backfilled);

  CycleMemory& memory_;
  const Cluster& cluster_;
  const Settings& settings_;
  Time now_;
  Throttling throttling_;
  ReservedLimits reserved_limits_;
  Strictness level_ = Strictness::hard;
  Plan plan_;
  std::vector<Pin> pins_;
  std::int64_t free_procs_;
  bool misfits_of_sets_ = false;                       // there are some
  std::unordered_set<std::uint64_t> special_misfits_;  // by request, access set and user
  std::unordered_set<std::uint64_t> placeless_;        // the same: there is no place at any time
};

// --- the phases, in this order -----------------------------------------------

/// The jobs that may be considered, in order of priority.
void select_jobs(CycleState& state);
// Suspended jobs resume (sched/suspended.h); preemptors take the nodes of others
// (sched/preemption.h).
/// Jobs with a reservation start if it is time, or slide forward (RESERVATIONPOLICY HIGHEST).
void serve_reserved_jobs(CycleState& state);
/// Starts jobs in priority order, reserves for the first ones that cannot start (paper 3, step 6);
/// preemption and backfill: within soft limits, then, where resources are left, what these held
/// back.
void serve_waiting_jobs(CycleState& state);
/// Fills what is left without delaying any reservation (paper 4.2).
void backfill(CycleState& state);
/// Tells the plan which priority reservations stand now, and ends those that do not.
void settle_reservations(CycleState& state);

}  // namespace maui
