#include "sched/cycle.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <boost/container/static_vector.hpp>

#include "model/placement.h"
#include "sched/cycle_state.h"
#include "sched/preemption.h"
#include "sched/promises.h"
#include "sched/rules/partition_policies.h"
#include "sched/suspended.h"

namespace maui {
namespace {

// RESERVATIONDEPTH and RESERVATIONQOSLIST: the remaining reservations of each stack.  A partition
// with a backfill policy of its own has its own stacks.
class Stacks {
 public:
  Stacks(const Cluster& cluster, const Settings& settings)
      : cluster_(cluster), settings_(settings) {
    add_lane({}, settings.backfill);
    for (const auto& [name, own] : settings.partition_policies)
      if (const auto id = cluster.partitions.find(name); id.valid() && own.backfill)
        add_lane(id, *own.backfill);
  }

  /// Takes one reservation from the job's stack; false if none is left.
  bool take(const Job& job) {
    Stack& stack = stack_of(job);
    if (stack.left <= 0) return false;
    --stack.left;
    return true;
  }
  void give_back(const Job& job) { ++stack_of(job).left; }
  bool used_up(const Job& job) { return stack_of(job).left <= 0; }
  /// Notes that the stack is used up with this job, which has its last reservation or can neither
  /// start nor be reserved: later jobs of the stack are out of turn.
  void end(const Job& job, std::size_t rank) {
    stack_of(job).end = rank;
    any_ended_ = true;
  }
  bool any_ended() const { return any_ended_; }
  bool ended(const Job& job, std::size_t rank) { return rank >= stack_of(job).end; }
  /// Takes back that the stack was used up with this job.
  void reopen(const Job& job, std::size_t rank) {
    if (stack_of(job).end == rank) stack_of(job).end = kNoEnd;
  }
  /// True if the stack was used up by an earlier job.
  bool passed(const Job& job, std::size_t rank) { return rank > stack_of(job).end; }
  /// True if the remaining resources are saved for the job at which the walk stopped: without
  /// backfill, no other job gets them.
  bool saving(const Job& job) {
    if (!any_ended_) return false;
    const Lane& lane = lane_of(job);
    return !lane.backfills && lane.over();
  }
  /// True if no job may pass this one and none is reserved: the queue waits for the job.
  bool strict(const Job& job) { return !lane_of(job).backfills; }
  /// True if no further job can be reserved, nor started in its turn.
  bool over() const {
    return std::all_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.over(); });
  }

 private:
  static constexpr std::size_t kNoEnd = ~std::size_t{0};

  struct Stack {
    int left;
    const ReservationStack* of;  // none: jobs of no other stack
    std::size_t end = kNoEnd;    // rank of the job that used it up
  };
  struct Lane {
    PartitionId partition;  // invalid: all without their own policy
    bool backfills;         // else its jobs run strictly in order
    boost::container::small_vector<Stack, 2> stacks;

    bool over() const {
      return std::all_of(stacks.begin(), stacks.end(), [this](const Stack& stack) {
        return backfills ? stack.left <= 0 : stack.end != kNoEnd;
      });
    }
  };

  void add_lane(PartitionId partition, BackfillPolicy policy) {
    Lane lane{partition, policy != BackfillPolicy::none, {}};
    if (makes_reservations(settings_, policy))
      for (const auto& stack : settings_.reservation_stacks)
        lane.stacks.push_back({stack.depth, &stack});
    lane.stacks.push_back({0, nullptr});
    lanes_.push_back(std::move(lane));
  }
  Lane& lane_of(const Job& job) {
    if (lanes_.size() == 1) return lanes_.front();
    const auto own = backfills_by(cluster_, settings_, cluster_.request(job.request));
    return *std::find_if(lanes_.begin(), lanes_.end(),
                         [own](const Lane& lane) { return lane.partition == own; });
  }
  Stack& stack_of(const Job& job) {
    auto& stacks = lane_of(job).stacks;
    return *std::find_if(stacks.begin(), stacks.end(), [&](const Stack& stack) {
      return stack.of == nullptr || stack.of->serves(cluster_.qos[job.credentials.qos]);
    });
  }

  const Cluster& cluster_;
  const Settings& settings_;
  boost::container::small_vector<Lane, 1> lanes_;  // the general lane comes first
  bool any_ended_ = false;
};

// Separates jobs that reservations block (they would start if they were shorter) from jobs that
// lack free processors.  Examines only the first jobs and requests: each test is costly.
void find_blocked_by_reservations(CycleState& state) {
  constexpr std::size_t kJobs = 1000, kRequests = 4;
  boost::container::static_vector<std::pair<RequestId, Reason>, kRequests> reasons;
  auto& timeline = state.timeline();
  const auto look = [&](std::size_t rank) {
    const Job& job = state.job(rank);
    if (timeline.passes_over(job, state.request(rank))) return Reason::passed_over;
    Request shape = state.request(rank);
    shape.limit = Seconds(1);
    // If all tasks of a request without a shape have room, the request has a placement.
    const bool by_count = shape.requirements.size() == 1 && !shape.requirements.front().shaped() &&
                          !shape.node_set && !shape.by_speed && !shape.names_nodes() &&
                          !timeline.rearranges_for(shape);
    if (by_count ? timeline.may_fit_now(job, shape) : timeline.fits_now(job, shape).has_value())
      return Reason::reservations_block;
    const bool plain = !shape.node_set && job.required_reservation.empty();
    return plain ? Reason::requirements : Reason::idle_procs;
  };
  std::size_t jobs = 0;
  for (std::size_t rank = 0; state.anything_free() && rank < state.jobs() && jobs < kJobs; ++rank) {
    if (state.reason(rank) != Reason::idle_procs) continue;
    ++jobs;
    if (state.request(rank).total_procs() > state.free_procs()) continue;
    const auto request = state.plan().order[rank].request;
    auto at = std::find_if(reasons.begin(), reasons.end(),
                           [request](const auto& entry) { return entry.first == request; });
    if (at == reasons.end() && reasons.size() == kRequests) continue;
    if (at == reasons.end()) at = reasons.insert(at, {request, look(rank)});
    state.reason(rank) = at->second;
  }
}

// True if the job would have been backfilled with the shorter limit.
bool would_start(CycleState& state, const RunTimes::Shorter& asked) {
  if (!state.anything_free()) return false;
  const auto& order = state.plan().order;
  const auto line = std::find_if(order.begin(), order.end(), [&](const Plan::Ranked& ranked) {
    return ranked.job == asked.job;
  });
  if (line == order.end()) return false;
  const auto rank = static_cast<std::size_t>(line - order.begin());
  const Reason why = state.reason(rank);
  if (why != Reason::idle_procs && why != Reason::requirements && why != Reason::not_reached &&
      why != Reason::reservations_block)
    return false;
  if (state.no_backfill(rank) || state.backfill_policy(rank) == BackfillPolicy::none) return false;
  if (state.request(rank).total_procs() > state.free_procs()) return false;
  Request shape = state.request(rank);
  shape.limit = asked.limit;
  const auto slot = state.timeline().fits_now(state.job(rank), shape);
  return slot && state.within_limits(state.job(rank), shape, slot->placement);
}

}  // namespace

CyclePlanner::CyclePlanner() : memory_(std::make_unique<CycleMemory>()) {}
CyclePlanner::~CyclePlanner() = default;
CyclePlanner::CyclePlanner(CyclePlanner&&) noexcept = default;
CyclePlanner& CyclePlanner::operator=(CyclePlanner&&) noexcept = default;

void CyclePlanner::choose_with(NodeSelector* selector) { memory_->timeline.choose_with(selector); }

void CyclePlanner::keep_at_most(std::int64_t jobs) { memory_->most_kept = jobs; }

void CyclePlanner::judge_in(std::shared_ptr<FeasibleRequests> feasible) {
  memory_->feasible = std::move(feasible);
}

Plan plan(const Cluster& cluster, const Settings& settings, Time now) {
  return CyclePlanner().plan(cluster, settings, now);
}

Plan CyclePlanner::plan(const Cluster& cluster, const Settings& settings, Time now) {
  CycleState state(*memory_, cluster, settings, now);
  select_jobs(state);
  resume_jobs(state);
  serve_reserved_jobs(state);
  serve_waiting_jobs(state);
  settle_reservations(state);
  stall_limited_jobs(state);
  find_blocked_by_reservations(state);
  if (const auto& asked = cluster.run_times.shorter)
    state.plan().shorter_starts = would_start(state, *asked);
  return std::move(state.plan());
}

namespace {

// Starts the job in the given slot if the slot begins now; otherwise reserves the slot for the
// job.
void take(CycleState& state, std::size_t rank, Slot slot) {
  if (slot.start > state.now())
    state.commit_reservation(rank, slot);
  else if (!state.held_by_limits(rank, state.request(rank), slot.placement))
    state.commit_start(rank, std::move(slot), false, 0, state.request(rank));
}

// Reserves a new slot for a job whose reservation has been released, or starts the job.
void reserve_anew(CycleState& state, std::size_t rank, Time not_after = kForever) {
  state.reason(rank) = Reason::not_reached;
  auto slot = state.first_slot(rank, not_after);
  if (!slot && not_after < kForever) slot = state.first_slot(rank);
  if (!slot) return;
  state.reason(rank) = Reason::not_reached;
  take(state, rank, *std::move(slot));
}

// Moves one reservation to the earliest slot, and never later for another job's
// sake.
void slide(CycleState& state, std::size_t rank) {
  const auto* held = state.timeline().held_by(state.job(rank).id);
  const Time due = held ? held->start : state.now();  // later than reserved if others start late
  state.release(rank);
  reserve_anew(state, rank, due);
}

// RESERVATIONRETRYTIME: jobs that could not start at their reserved time keep their turn.  Those
// that have a reservation again are served with it.
void serve_retries(CycleState& state) {
  const auto& stacks = state.settings().reservation_stacks;
  if (std::none_of(stacks.begin(), stacks.end(),
                   [](const ReservationStack& stack) { return stack.retry > Seconds(0); }))
    return;
  for (std::size_t rank = 0; rank < state.jobs(); ++rank)
    if (state.job(rank).failures.retry_until > state.now() && state.open(rank) &&
        retry_time(state.cluster(), state.settings(), state.job(rank)) > Seconds(0) &&
        !state.timeline().holds(state.job(rank).id) && !state.held_by_limits(rank))
      state.start(rank, Seconds(0), false);
}

// A job under RESERVEALWAYS starts when its reservation is due, whichever jobs without one have a
// higher priority: reserved jobs come before the others (guide 3.3.1.3, 3.3.1.4).  So do other jobs
// with due reservations that precede it, lest it take their nodes.
void serve_due(CycleState& state) {
  if (!state.flags().possible(JobFlag::reserve_always)) return;
  std::vector<std::size_t> due;
  std::size_t end = 0;
  for (std::size_t rank = 0; rank < state.jobs(); ++rank) {
    const auto* before = state.reserved_before(rank);
    if (!before || before->start > state.now()) continue;
    due.push_back(rank);
    if (state.reserves_always(rank)) end = due.size();
  }
  due.resize(end);
  for (const auto rank : due)
    if (state.open(rank) && !state.held_by_limits(rank)) state.start(rank, Seconds(0), false);
}

// Gives all reservations new slots, in priority order, since some have lost their nodes.
void make_anew(CycleState& state, const std::vector<std::size_t>& reserved) {
  for (const auto rank : reserved) state.release(rank);
  std::vector<JobId> absent;
  for (const auto& held : state.timeline().held()) absent.push_back(held.job);
  for (const JobId id : absent) state.give_up(id);
  for (const auto rank : reserved) reserve_anew(state, rank);
}

// True if the plan's last decision is to start the job on the nodes that were reserved for it.
bool starts_where_reserved(CycleState& state, std::size_t rank) {
  const auto& decisions = state.plan().decisions;
  const auto* start = decisions.empty() ? nullptr : std::get_if<StartJob>(&decisions.back());
  return start != nullptr && start->job == state.job(rank).id &&
         start->placement == state.reserved_before(rank)->nodes;
}

struct KeptReservations {
  std::vector<std::size_t> later;  // their jobs, in order of priority
  bool gained_room = false;        // one whose time has come leaves some of what it held
};

// Serves the kept reservations whose time has come.
KeptReservations serve_due_of_kept(CycleState& state) {
  KeptReservations kept;
  for (std::size_t rank = 0; rank < state.jobs(); ++rank) {
    if (!state.reserved_before(rank)) continue;
    const JobId id = state.job(rank).id;
    state.reason(rank) = Reason::reserved_later;
    if (state.timeline().holds(id) && !state.timeline().held_by(id)) {
      slide(state, rank);
      kept.gained_room = kept.gained_room || !starts_where_reserved(state, rank);
    } else {
      kept.later.push_back(rank);
    }
  }
  return kept;
}

// Moves all later reservations to the earliest slots, and starts the jobs whose slots begin now.
void slide_forward(CycleState& state, const std::vector<std::size_t>& later) {
  std::vector<JobId> by_priority;
  for (const auto rank : later) by_priority.push_back(state.job(rank).id);
  // Limits depend on the jobs that run then, so each reservation moves by itself.
  const bool together = !state.throttling().any() && state.timeline().slide_together(by_priority);
  for (const auto rank : later) {
    if (!together) {
      slide(state, rank);
      continue;
    }
    const auto* held = state.timeline().held_by(state.job(rank).id);
    if (!held || held->start > state.now()) continue;
    Slot slot{state.now(), partition_of(state.cluster(), held->placement), held->placement};
    state.release(rank);
    state.commit_start(rank, std::move(slot), false, 0, state.request(rank));
  }
}

// True if a reserved job that will not start has released its reservation.
bool gave_up_some(CycleState& state) {
  const auto all = state.cluster().reservations();
  return std::any_of(all.begin(), all.end(), [&](ReservationId id) {
    const auto& reservation = state.cluster().reservation(id);
    return reservation.kind == ReservationKind::job && !state.timeline().holds(reservation.job);
  });
}

}  // namespace

void serve_reserved_jobs(CycleState& state) {
  const auto& cluster = state.cluster();
  state.plan().settled_at = cluster.releases();
  state.plan().settled_departures = cluster.departures();
  if (!keeps_reservations(state.settings())) {
    serve_due(state);
    return serve_retries(state);
  }
  const bool given_up = gave_up_some(state);
  serve_retries(state);
  const auto [later, gained_room] = serve_due_of_kept(state);
  if (state.timeline().dislodged()) return make_anew(state, later);
  const bool late = std::any_of(later.begin(), later.end(), [&](std::size_t rank) {
    const auto* held = state.timeline().held_by(state.job(rank).id);
    return !held || held->start != cluster.reservation(state.job(rank).reservation).start;
  });
  if (cluster.settled_at() == cluster.releases() && !late && !given_up && !gained_room) return;
  slide_forward(state, later);
}

namespace {

void reserve(CycleState& state, std::size_t rank) {
  if (auto slot = state.first_slot(rank)) take(state, rank, *std::move(slot));
}

// RESERVEALWAYS applies at any priority.  Jobs that the walk in priority order did not reach start
// where they block nobody, or get a reservation.
void serve_who_always_reserve(CycleState& state) {
  if (!state.flags().possible(JobFlag::reserve_always)) return;
  for (std::size_t rank = 0; rank < state.jobs(); ++rank) {
    if (!state.open(rank) || !state.reserves_always(rank)) continue;
    if (!state.start(rank, Seconds(0), false) && state.open(rank)) reserve(state, rank);
  }
}

// The walk in priority order.  Each later run covers the jobs that the first one reached, and
// serves those that limits no longer hold back.
class PriorityPass {
 public:
  explicit PriorityPass(CycleState& state)
      : state_(state), stacks_(state.cluster(), state.settings()), end_(state.jobs()) {}

  void run() {
    for (std::size_t rank = 0; rank < end_; ++rank)
      if (!serve(rank)) end_ = rank;
    again_ = true;
    serve_who_always_reserve(state_);
  }
  bool stopped() const { return end_ < state_.jobs(); }
  /// Returns the job at which the walk ended, if it did not reach all jobs.
  JobId stopped_at() const { return stopped() ? state_.job(end_).id : JobId(); }
  /// True if jobs that soft limits hold back have kept their places.
  bool keeps_places() const { return !places_.empty(); }
  /// Lets the next run serve these jobs within hard limits: it goes as far as it would if they had
  /// not been served.
  void leave_places() {
    for (const auto rank : places_) {
      state_.leave_place(rank);
      const Job& job = state_.job(rank);
      if (!state_.reserves_always(rank)) stacks_.give_back(job);
      stacks_.reopen(job, rank);
      if (rank >= end_) end_ = state_.jobs();
    }
    places_.clear();
  }
  /// True if the walk reached the job before its turn was over: no job waits that it would pass.
  bool in_turn(std::size_t rank) {
    return rank <= end_ && !(stacks_.any_ended() && stacks_.passed(state_.job(rank), rank));
  }
  /// True if a job waits that this one may not pass, since there is no backfill.
  bool saves_from(const Job& job) { return stacks_.saving(job); }
  /// The first job that could neither start nor be reserved waits for processors, not for others.
  void explain_first() {
    if (first_ < state_.jobs() && state_.open(first_)) state_.reason(first_) = Reason::idle_procs;
  }

 private:
  // Returns false if the walk ends here.
  bool serve(std::size_t rank) {
    if (!state_.open(rank)) {
      // A kept reservation counts towards the depth of its stack.
      if (!again_ && state_.reason(rank) == Reason::reserved_later && !state_.reserves_always(rank))
        stacks_.take(state_.job(rank));
      return true;
    }
    if (stacks_.any_ended() && stacks_.ended(state_.job(rank), rank)) return true;
    if (again_ && stacks_.saving(state_.job(rank))) return true;
    if (!state_.held_by_limits(rank) && state_.start(rank, Seconds(0), false)) return true;
    // A reserved job may stay reserved: what blocks it now may have ended by its start.
    const auto* before = state_.open(rank) ? nullptr : state_.reserved_before(rank);
    if (!state_.open(rank) && !before) return true;
    if (state_.no_reservation(rank) || state_.confined_to_nothing(rank)) return true;
    if (before && state_.level() == Strictness::soft) return keep_place(rank, *before);
    if (state_.reserves_always(rank)) {
      reserve(state_, rank);
      return true;
    }
    if (!stacks_.take(state_.job(rank))) {
      if (stacks_.strict(state_.job(rank)) && !state_.first_slot(rank)) return true;
      stacks_.end(state_.job(rank), rank);
      if (state_.plan().reserves == 0) first_ = std::min(first_, rank);
      return !stacks_.over();
    }
    auto slot = state_.first_slot(rank);
    if (!slot) {  // the job has no slot at present, so no other job waits for it
      stacks_.give_back(state_.job(rank));
      return true;
    }
    // The slot may be now: reservations of equal jobs are exchanged where that helps.
    if (slot->start <= state_.now()) stacks_.give_back(state_.job(rank));
    take(state_, rank, *std::move(slot));
    if (state_.fits_beyond_soft(rank)) places_.push_back(rank);
    if (stacks_.used_up(state_.job(rank))) stacks_.end(state_.job(rank), rank);
    return !stacks_.over();
  }

  // Jobs within soft limits may not take the place of a reserved job that is beyond them.  It is
  // served with the others of its kind, by priority, once those within soft limits have been.
  bool keep_place(std::size_t rank, const Reservation& before) {
    const bool always = state_.reserves_always(rank);
    if (!always && !stacks_.take(state_.job(rank))) return true;
    if (!state_.keep_place(rank, before)) {
      if (!always) stacks_.give_back(state_.job(rank));
      return true;
    }
    places_.push_back(rank);
    if (!always && stacks_.used_up(state_.job(rank))) stacks_.end(state_.job(rank), rank);
    return always || !stacks_.over();
  }

  CycleState& state_;
  Stacks stacks_;
  std::vector<std::size_t> places_;  // ranks of jobs that have their places until leave_places()
  std::size_t end_;
  std::size_t first_ = ~std::size_t{0};  // of those out of turn, if no job before it is reserved
  bool again_ = false;
};

void serve_within_limits(CycleState& state, PriorityPass& pass) {
  const bool soft = state.throttling().soft_matters();
  const Strictness first = soft ? Strictness::soft : Strictness::hard;
  const auto serve = [&] {
    pass.run();
    // Jobs beyond their soft limits have only what is idle, not what other jobs use (guide 6.2.4).
    if (state.level() == first)
      preempt(state, [&pass](std::size_t rank) { return pass.in_turn(rank); });
    Promises promises(state);
    backfill(state);
    promises.settle();
  };
  state.set_level(first);
  serve();
  if (!soft || !state.anything_free()) return;
  // Without backfill, the remaining resources are saved for the job at which the walk stopped.
  if (!backfills(state.settings()) && pass.stopped() && !pass.keeps_places()) return;
  pass.leave_places();
  if (state.relax()) serve();
}

}  // namespace

void serve_waiting_jobs(CycleState& state) {
  PriorityPass pass(state);
  serve_within_limits(state, pass);
  resume_violators(state, [&pass](const Job& job) { return pass.saves_from(job); });
  pass.explain_first();
  state.plan().stopped_at = pass.stopped_at();
}

void settle_reservations(CycleState& state) {
  const auto& cluster = state.cluster();
  const auto& held = state.timeline().held();
  auto& decisions = state.plan().decisions;
  const bool kept = keeps_reservations(state.settings());
  // The reservation of a job that starts ends with the start.
  std::vector<JobId> stay;
  for (const auto& planned : held) stay.push_back(planned.job);
  for (const auto& decision : decisions)
    if (const auto* start = std::get_if<StartJob>(&decision)) stay.push_back(start->job);
  std::sort(stay.begin(), stay.end());
  std::vector<Decision> drops;
  for (const auto id : cluster.reservations()) {
    const auto& reservation = cluster.reservation(id);
    if (reservation.kind == ReservationKind::job &&
        !std::binary_search(stay.begin(), stay.end(), reservation.job))
      drops.emplace_back(DropReservation{id});
  }
  decisions.insert(decisions.begin(), drops.begin(), drops.end());
  for (const auto& planned : held) {
    state.plan().first_reserved = std::min(state.plan().first_reserved, planned.start);
    if (planned.of->reservation.valid()) {
      const auto& old = cluster.reservation(planned.of->reservation);
      if (old.start == planned.start && old.nodes == planned.placement) continue;
      // Another reservation may move to the place that this one leaves.
      if (kept) state.plan().settled_at = Plan::kNotSettled;
    }
    decisions.push_back(ReserveJob{planned.job, planned.start, planned.placement});
  }
}

}  // namespace maui
