// The state that the phases of a cycle share while the cycle runs.
//
// cycle.cc lists the phases; each phase works on this state and writes into the
// plan.
#pragma once
#include <algorithm>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "maui/cluster.h"
#include "maui/plan.h"
#include "maui/settings.h"
#include "sched/availability/timeline.h"
#include "sched/foreknown.h"
#include "sched/limits/kept_limit_rules.h"
#include "sched/limits/reserved_limits.h"
#include "sched/limits/throttling.h"
#include "sched/placement/feasible_requests.h"
#include "sched/rules/job_flags.h"
#include "sched/rules/partition_policies.h"

namespace maui {

/// Everything that outlives a cycle: memory, and results that hold while requests and nodes do.
class CycleMemory {
 public:
  Timeline timeline;
  /// The places where jobs with one request do not fit; valid in the round in which they were
  /// found.
  static constexpr char kFitsNowhere = 1, kFitsNoSet = 2;
  struct Misfit {
    std::uint64_t round = 0;
    char where = 0;       // kFitsNowhere or kFitsNoSet, for every user; 0: no misfit
    bool looked = false;  // finds_no_room() has looked for room
  };
  std::vector<Misfit> misfits;                     // by request
  std::vector<std::vector<bool>> misfits_of_sets;  // by request and access set
  std::uint64_t round = 0;                         // grows when misfits are forgotten
  static constexpr AccessSet kNotLookedUp = ~AccessSet{0};
  std::vector<AccessSet> access;  // by rank: the job's access set for a run of its limit
  std::shared_ptr<FeasibleRequests> feasible = std::make_shared<FeasibleRequests>();
  std::vector<std::size_t> candidates;
  std::int64_t most_kept = 8'000'000;  // see CyclePlanner::keep_at_most()
  KeptLimitRules limit_rules;
};

/// A job that is suspended, or that the plan suspends, and the nodes that are kept for it.
struct Pin {
  JobId job;
  std::int64_t priority = 0;
  Request rest;           // the job's request with the remaining limit
  Time rested;            // the first time at which it may resume
  Time start = kForever;  // when the nodes are kept from; kForever: none can be kept
  bool aside = false;     // nothing is kept for the present (StepAside)
  bool resumes = false;   // decided in this plan
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
  /// Suspended jobs that keep their nodes, highest priority first.
  std::list<Pin>& pins() { return pins_; }
  /// The starts of preemptors that take jobs of this plan, or that the attempt began with.
  std::vector<SettledStart>& settled() { return settled_; }

  std::size_t jobs() const { return plan_.order.size(); }
  const Job& job(std::size_t rank) const { return cluster_.job(plan_.order[rank].job); }
  const Request& request(std::size_t rank) const {
    return cluster_.request(plan_.order[rank].request);
  }
  BackfillPolicy backfill_policy(std::size_t rank) const {
    return maui::backfill_policy(cluster_, settings_, request(rank));
  }
  Reason& reason(std::size_t rank) { return plan_.reasons[rank]; }
  /// True if the job may run in other shapes than that of its request.
  bool has_alternatives(std::size_t rank) const {
    return plan_.order[rank].special && !job(rank).alternatives.empty();
  }
  /// True if the job is still undecided: neither started, nor reserved, nor held back.
  bool open(std::size_t rank) const { return plan_.reasons[rank] == Reason::not_reached; }

  /// Limits of active jobs at the current level; the counted use grows as jobs start.
  Throttling& throttling() { return throttling_; }
  Strictness level() const { return level_; }
  void set_level(Strictness level) { level_ = level; }
  /// True if a limit of that strictness keeps the job from starting now.
  bool limits_hold_back(std::size_t rank, Strictness level) {
    return throttling_.holds_back(plan_.order[rank], level);
  }
  bool limits_hold_back(std::size_t rank) { return limits_hold_back(rank, level_); }
  /// True if the job would exceed a limit; its reason becomes Reason::policy, and it is decided.
  bool held_by_limits(std::size_t rank) { return throttling_.any() && passes_limits(rank); }
  /// The same check with known nodes; it also covers limits of reserved jobs at their start times.
  bool held_by_limits(std::size_t rank, const Request& shape, const Placement& placement);
  /// True if the job may have these nodes now without exceeding its own limits or those of reserved
  /// jobs.
  bool within_limits(const Job& job, const Request& shape, const Placement& placement);
  /// Returns the shape on as few and as fast nodes as limits leave, if that is why they forbid the
  /// placement.
  std::optional<Request> within_room(const Job& job, const Request& shape,
                                     const Placement& placement);
  /// True if a suspended job may go on now without exceeding a hard limit or limits of reserved
  /// jobs.
  bool may_resume(const Job& job, const Request& rest);
  /// Returns the job's earliest slot up to `not_after` that is within limits.  If limits are why
  /// there is no slot, the job's reason becomes Reason::policy.
  std::optional<Slot> first_slot(std::size_t rank, Time not_after = kForever) {
    return first_slot_from(now_, rank, not_after);
  }
  /// Reserves for a job that soft limits hold back the time at which it was reserved, within hard
  /// limits; false if that is no longer possible.
  bool keep_place(std::size_t rank, const Reservation& before);
  /// True if soft limits forbid the reserved job nodes that are free for it now.
  bool fits_beyond_soft(std::size_t rank) const {
    return level_ == Strictness::soft && plan_.reasons[rank] == Reason::reserved_later &&
           std::find(beyond_soft_.begin(), beyond_soft_.end(), rank) != beyond_soft_.end();
  }
  /// Gives up a place that was kept: the job is held back by soft limits again.
  void leave_place(std::size_t rank);
  /// Returns the priority reservation that the job had when the cycle began, or nullptr.
  const Reservation* reserved_before(std::size_t rank) const;
  /// No longer counts an active job for limits, as it leaves its nodes; count_again() takes that
  /// back.
  void discount(const Job& active);
  void count_again(const Job& active);
  /// Notes in the plan that an active job leaves its nodes for `preemptor`, and removes its use.
  void commit_preemption(const Job& job, Preemption how, JobId preemptor);
  /// Takes that back: the job stays.
  void undo_preemption(const Job& job);
  /// Lets a job that leaves do so for another preemptor.
  void leave_for(JobId job, JobId preemptor);
  /// Releases the job's priority reservation.
  void release(std::size_t rank);
  /// Ends the priority reservation, if any, of a job that is not considered, or is displaced.
  void give_up(JobId id);
  bool gave_up(JobId id) const {
    return std::find(given_up_.begin(), given_up_.end(), id) != given_up_.end();
  }
  /// Counts only hard limits from now on and reopens jobs that soft limits blocked, or forbade the
  /// nodes on which they fit; false: none.
  bool relax();

  /// Starts the job if it fits now, on nodes that are free for `at_least`, and exceeds no limit.
  bool start(std::size_t rank, Seconds at_least, bool backfilled);
  /// True if it is known already that the job does not fit.  A request that does not fit once in a
  /// cycle does not fit later in the cycle, since a cycle only ever takes resources.
  bool known_not_to_fit(std::size_t rank);
  /// True if it is known that no job with the same request fits, whatever its credentials.
  bool fits_for_nobody(std::size_t rank) {
    return misfit(rank).where == CycleMemory::kFitsNowhere && !timeline().access_sets().any();
  }
  /// Checks, for the first job with this request, if there is room for any job with the request:
  /// that is cheaper than an attempt to start the job.  True if none of these jobs fits.
  bool finds_no_room(std::size_t rank);
  /// True if all jobs with one request may be backfilled or none, apart from limits, special jobs
  /// (Waiting::special) and jobs that wait for a node set.
  bool requests_decide() const;
  enum class Fit : char { unknown, nowhere, maybe };
  /// Returns what is known of all jobs with this request; valid where requests_decide().
  Fit fit_of(RequestId request) const {
    const auto& known = memory_.misfits[request.index()];
    if (known.round != memory_.round) return Fit::unknown;
    if (known.where == CycleMemory::kFitsNowhere) return Fit::nowhere;
    const bool maybe = known.looked && known.where == 0 && special_misfits_.empty();
    return maybe ? Fit::maybe : Fit::unknown;
  }
  /// True if the cycle may start no more jobs (CyclePlanner::keep_at_most()).
  bool full() const { return kept_ > memory_.most_kept; }
  /// Forgets which requests did not fit, for example because the next question differs.
  void forget_misfits();
  /// Idle processors that this cycle has not yet given to jobs.
  std::int64_t free_procs() const { return free_procs_; }
  bool anything_free() const { return free_procs_ > 0; }

  /// The access set of a job that starts now.
  AccessSet access_now(std::size_t rank) {
    return timeline().access_sets().when(access_of(rank), now_, request(rank).limit);
  }

  /// NOBF, NORESERVATION and RESERVEALWAYS (guide 7.3.2.2).
  bool no_backfill(std::size_t rank) const { return flagged(rank, JobFlag::no_backfill); }
  bool no_reservation(std::size_t rank) const { return flagged(rank, JobFlag::no_reservation); }
  bool reserves_always(std::size_t rank) const { return flagged(rank, JobFlag::reserve_always); }
  /// True if the job is under USERESERVED or ADVRES and no reservation admits it.
  bool confined_to_nothing(std::size_t rank) {
    auto& sets = timeline().access_sets();
    return flags().confined(job(rank)) && sets.nowhere(sets.of(job(rank)));
  }
  /// The job flags in force.
  const JobFlags& flags() const { return memory_.timeline.flags(); }

  /// Gives the job these nodes now, and counts it for limits, until end_trial() with the same
  /// arguments: a step in the search for a set of jobs.
  void begin_trial(const Job& job, const Request& shape, const Placement& placement);
  void end_trial(const Job& job, const Request& shape, const Placement& placement);

  /// Starts a reserved job, if it fits now after all; otherwise it keeps its reservation.
  bool start_reserved(std::size_t rank);
  /// Notes a start or a reservation in the timeline and the plan.
  void commit_start(std::size_t rank, Slot slot, bool backfilled, std::size_t alternative,
                    const Request& request);
  void commit_reservation(std::size_t rank, const Slot& slot);
  /// Starts the job in the slot, if that begins now and limits allow it; otherwise reserves the
  /// slot for the job.
  void take(std::size_t rank, Slot slot);
  /// Gives the reserved job this slot; requires that the job has just released its reservation.
  void hold_reserved(std::size_t rank, const Slot& slot);
  /// Takes back that the plan starts the job, in that shape: it is undecided again.  Returns its
  /// rank.
  std::size_t undo_start(JobId id, const Request& shape, const Placement& placement);
  /// Notes in the plan that a pinned suspended job resumes.
  void commit_resume(const Pin& pin);
  /// Takes that back.  The job is no longer pinned.
  void undo_resume(const Pin& pin);

 private:
  bool flagged(std::size_t rank, JobFlag flag) const {
    return flags().possible(flag) && flags().has(job(rank), flag);
  }
  /// The job's access set for a run of its limit.  Cached for the cycle, since jobs are large and
  /// there are many.
  AccessSet access_of(std::size_t rank);
  CycleMemory::Misfit& misfit(std::size_t rank) {
    auto& found = memory_.misfits[plan_.order[rank].request.index()];
    if (found.round != memory_.round) found = {memory_.round};
    return found;
  }
  std::uint64_t special_key(std::size_t rank);
  /// True if other jobs with the same request and access may fit where this job does not.
  bool special(std::size_t rank) const {
    return memory_.timeline.users_matter() || request(rank).node_set.has_value();
  }
  bool passes_limits(std::size_t rank);
  std::optional<Slot> first_slot_from(Time from, std::size_t rank, Time not_after);
  void count_kept(const Placement& placement);
  std::int64_t procs_left_by(const Job& active) const;
  void take_back(const Job& job, const Request& shape, const Placement& placement);
  void note_misfit(std::size_t rank);
  void hold(std::size_t rank, const Slot& slot);
  /// Sets the reason of a job that would miss its completion date; always returns false.
  bool out_of_time(std::size_t rank);
  bool start_alternative(std::size_t rank, Seconds at_least, bool backfilled);
  bool start_elsewhere(std::size_t rank, PartitionId full, Seconds at_least, bool backfilled);
  /// Returns the slot if limits allow it, or one on fewer or faster nodes that they allow; both are
  /// now.
  std::optional<Slot> allowed(std::size_t rank, const Request& shape, Slot slot, Seconds at_least);

  CycleMemory& memory_;
  const Cluster& cluster_;
  const Settings& settings_;
  Time now_;
  Throttling throttling_;
  ReservedLimits reserved_limits_;
  Strictness level_ = Strictness::hard;
  Plan plan_;
  std::list<Pin> pins_;
  std::vector<SettledStart> settled_;
  std::vector<JobId> given_up_;
  std::vector<std::size_t> beyond_soft_;  // jobs that soft limits forbid the nodes they fit on
  std::int64_t free_procs_;
  std::int64_t kept_ = 0;                              // for full()
  std::unordered_map<NodeId, int> started_on_;         // by the first node of each start
  bool misfits_of_sets_ = false;                       // misfits_of_sets is in use
  std::unordered_set<std::uint64_t> special_misfits_;  // by request, access set and user
  std::unordered_set<std::uint64_t> placeless_;        // jobs with no slot at any time; same key
};

// --- the phases, in this order -----------------------------------------------

/// Selects the jobs that may be considered, in order of priority; `let_in` also if limits keep them
/// out: they have their turn as soon as these limits let them start.
void select_jobs(CycleState& state, const std::vector<JobId>& let_in);
/// Returns the preemptors that limits have kept out of this plan, and would not keep out of the
/// next one: its decisions make room for them.
std::vector<JobId> preemptors_to_let_in(CycleState& state);
// Resume jobs suspended for preemptors, and violators once waiting jobs have had their turn
// (sched/suspended.h); let preemptors take nodes from other jobs (sched/preemption.h).
/// Starts reserved jobs that are due, or slides them forward (RESERVATIONPOLICY HIGHEST).
void serve_reserved_jobs(CycleState& state);
/// Starts jobs in priority order and reserves nodes for the first ones that cannot start (paper 3,
/// step 6); runs preemption and backfill.  All of that happens within soft limits first, then, if
/// resources remain, for the jobs that the soft limits held back.  Violators come last.
void serve_waiting_jobs(CycleState& state);
/// Fills the remaining resources without delaying any reservation (paper 4.2).
void backfill(CycleState& state);
/// Writes the current priority reservations to the plan and ends those that no longer hold.
void settle_reservations(CycleState& state);
/// Stops the queue time of the jobs that limits of active jobs block after the starts of the plan
/// (JOBPRIOACCRUALPOLICY FULLPOLICY).
void stall_limited_jobs(CycleState& state);

}  // namespace maui
