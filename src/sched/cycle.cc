#include "sched/cycle.h"

#include <algorithm>

#include "sched/cycle_state.h"
#include "sched/preemption.h"

namespace maui {
namespace {

// RESERVATIONDEPTH and RESERVATIONQOSLIST: how many reservations each stack has left.
class Stacks {
 public:
  Stacks(const Cluster& cluster, const Settings& settings) : cluster_(cluster) {
    const bool some = makes_reservations(settings);
    for (const auto& stack : settings.reservation_stacks)
      stacks_.push_back({some ? stack.depth : 0, &stack.qos, kNoEnd});
  }

  /// Takes one place of the job's stack; false when there is none left.
  bool take(const Job& job) {
    Stack* stack = stack_of(job);
    if (!stack || stack->left <= 0) return false;
    --stack->left;
    return true;
  }
  void give_back(const Job& job) {
    if (Stack* stack = stack_of(job)) ++stack->left;
  }
  /// The job could neither start nor be reserved: those of its stack behind it are out of turn.
  void end(const Job& job, std::size_t rank) {
    Stack* stack = stack_of(job);
    (stack ? stack->end : end_of_others_) = rank;
    any_ended_ = true;
  }
  bool ended(const Job& job, std::size_t rank) {
    if (!any_ended_) return false;
    const Stack* stack = stack_of(job);
    return rank >= (stack ? stack->end : end_of_others_);
  }
  bool empty() const {
    return std::all_of(stacks_.begin(), stacks_.end(), [](const Stack& s) { return s.left <= 0; });
  }

 private:
  static constexpr std::size_t kNoEnd = ~std::size_t{0};

  struct Stack {
    int left;
    const std::vector<std::string>* qos;
    std::size_t end;  // the rank of its first job that is out of turn
  };
  Stack* stack_of(const Job& job) {
    const auto at = std::find_if(stacks_.begin(), stacks_.end(),
                                 [&](const Stack& one) { return listed(*one.qos, job); });
    return at == stacks_.end() ? nullptr : &*at;
  }
  bool listed(const std::vector<std::string>& qos, const Job& job) const {
    return qos.empty() ||
           std::find(qos.begin(), qos.end(), cluster_.qos[job.credentials.qos]) != qos.end();
  }

  const Cluster& cluster_;
  std::vector<Stack> stacks_;
  std::size_t end_of_others_ = kNoEnd;  // of jobs that are of no stack
  bool any_ended_ = false;
};

}  // namespace

CyclePlanner::CyclePlanner() : memory_(std::make_unique<CycleMemory>()) {}
CyclePlanner::~CyclePlanner() = default;
CyclePlanner::CyclePlanner(CyclePlanner&&) noexcept = default;
CyclePlanner& CyclePlanner::operator=(CyclePlanner&&) noexcept = default;

void CyclePlanner::choose_with(NodeSelector* selector) { memory_->timeline.choose_with(selector); }

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
  return std::move(state.plan());
}

namespace {

// The job starts in the earliest place that there is for it, if that is now, or is reserved for
// there.
void take(CycleState& state, std::size_t rank, Slot slot) {
  if (slot.start > state.now())
    state.commit_reservation(rank, slot);
  else if (!state.held_by_limits(rank, state.request(rank), slot.placement))
    state.commit_start(rank, std::move(slot), false, 0, state.request(rank));
}

// One reservation gives up its place for the earliest that there is.  Never later for another job's
// sake; later only if its nodes are gone.
void slide(CycleState& state, std::size_t rank, const Reservation& kept) {
  const auto& job = state.job(rank);
  const auto* held = state.timeline().held_by(job.id);
  const Time due = held ? held->start : state.now();  // later than kept if others start late
  state.timeline().release(job.id, held ? Placement(held->placement) : kept.nodes);
  auto slot = state.timeline().earliest(job, state.request(rank), state.now(), due);
  if (!slot) slot = state.timeline().earliest(job, state.request(rank), state.now());
  if (slot)
    take(state, rank, *std::move(slot));
  else
    state.reason(rank) = Reason::not_reached;
}

// RESERVATIONRETRYTIME: jobs that could not be started when their time had come keep their turn.
void serve_retries(CycleState& state) {
  if (state.settings().reservation_retry <= Seconds(0)) return;
  for (std::size_t rank = 0; rank < state.jobs(); ++rank)
    if (state.job(rank).failures.retry_until > state.now() && state.open(rank) &&
        !state.held_by_limits(rank))
      state.start(rank, Seconds(0), false);
}

}  // namespace

void serve_reserved_jobs(CycleState& state) {
  serve_retries(state);
  const auto& cluster = state.cluster();
  state.plan().settled_at = cluster.releases();
  if (!keeps_reservations(state.settings())) return;
  std::vector<std::size_t> later;
  std::vector<JobId> by_priority;
  for (std::size_t rank = 0; rank < state.jobs(); ++rank) {
    const auto& job = state.job(rank);
    if (!job.reservation.valid()) continue;
    const auto& kept = cluster.reservation(job.reservation);
    state.reason(rank) = Reason::reserved_later;
    if (kept.start <= state.now()) {
      slide(state, rank, kept);  // its time has come
    } else {
      later.push_back(rank);
      by_priority.push_back(job.id);
    }
  }
  const bool late = std::any_of(later.begin(), later.end(), [&](std::size_t rank) {
    const auto* held = state.timeline().held_by(state.job(rank).id);
    return !held || held->start != cluster.reservation(state.job(rank).reservation).start;
  });
  if (cluster.settled_at() == cluster.releases() && !late) return;
  const bool together = state.timeline().slide_together(by_priority);
  for (const auto rank : later) {
    const auto& job = state.job(rank);
    const auto* held = state.timeline().held_by(job.id);
    if (!together) {
      slide(state, rank, cluster.reservation(job.reservation));
    } else if (held && held->start <= state.now()) {
      Slot slot{state.now(), PartitionId(0U), held->placement};
      state.timeline().release(job.id, slot.placement);
      if (!state.held_by_limits(rank, state.request(rank), slot.placement))
        state.commit_start(rank, std::move(slot), false, 0, state.request(rank));
    }
  }
}

namespace {

void reserve(CycleState& state, std::size_t rank) {
  auto slot = state.timeline().earliest(state.job(rank), state.request(rank), state.now());
  if (slot) take(state, rank, *std::move(slot));
}

// RESERVEALWAYS: whatever their priority.  Those that the walk in order of priority did not reach
// start where they are in nobody's way, or hold a reservation.
void serve_who_always_reserve(CycleState& state) {
  if (!state.flags().given(JobFlag::reserve_always)) return;
  for (std::size_t rank = 0; rank < state.jobs(); ++rank) {
    if (!state.open(rank) || !state.reserves_always(rank)) continue;
    if (!state.start(rank, Seconds(0), false) && state.open(rank) && state.ever_feasible(rank))
      reserve(state, rank);
  }
}

// The walk in order of priority.  Each further run takes up, as far as the first one came, what
// limits held back there and hold back no more.
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

 private:
  // False: here the walk ends.
  bool serve(std::size_t rank) {
    if (!state_.open(rank)) {
      // A reservation that is kept fills its place.
      if (!again_ && state_.reason(rank) == Reason::reserved_later && !state_.reserves_always(rank))
        stacks_.take(state_.job(rank));
      return true;
    }
    if (stacks_.ended(state_.job(rank), rank)) return true;
    if (state_.held_by_limits(rank) || state_.start(rank, Seconds(0), false) || !state_.open(rank))
      return true;
    if (!state_.ever_feasible(rank)) {
      state_.hold_for_good(rank, "NoResources: the job asks for more than the cluster has");
      return true;
    }
    if (state_.no_reservation(rank) || state_.confined_to_nothing(rank)) return true;
    if (state_.reserves_always(rank)) {
      reserve(state_, rank);
      return true;
    }
    if (!stacks_.take(state_.job(rank))) {
      stacks_.end(state_.job(rank), rank);
      return !stacks_.empty();
    }
    auto slot = state_.timeline().earliest(state_.job(rank), state_.request(rank), state_.now());
    if (!slot) return false;
    // It may be now: reservations of equal jobs are exchanged where that helps.
    if (slot->start <= state_.now()) stacks_.give_back(state_.job(rank));
    take(state_, rank, *std::move(slot));
    return !stacks_.empty();
  }

  CycleState& state_;
  Stacks stacks_;
  std::size_t end_;
  bool again_ = false;
};

}  // namespace

void serve_waiting_jobs(CycleState& state) {
  PriorityPass pass(state);
  const auto serve = [&] {
    pass.run();
    preempt(state);
    backfill(state);
  };
  const bool soft = state.throttling().soft_matters();
  state.set_level(soft ? Strictness::soft : Strictness::hard);
  serve();
  if (!soft || !state.anything_free() || !state.relax()) return;
  // Without backfill, what is left is being saved for the job that the walk stopped at.
  if (state.settings().backfill == BackfillPolicy::none && pass.stopped()) return;
  serve();
}

void settle_reservations(CycleState& state) {
  const auto& cluster = state.cluster();
  const auto& held = state.timeline().held();
  std::vector<Decision> drops;
  for (const auto id : cluster.reservations()) {
    const auto& reservation = cluster.reservation(id);
    if (reservation.kind != ReservationKind::job || state.timeline().held_by(reservation.job))
      continue;
    // A job that starts takes its reservation with it.
    const auto& decisions = state.plan().decisions;
    const bool starts = std::any_of(decisions.begin(), decisions.end(), [&](const Decision& one) {
      const auto* start = std::get_if<StartJob>(&one);
      return start && start->job == reservation.job;
    });
    if (!starts) drops.emplace_back(DropReservation{id});
  }
  auto& decisions = state.plan().decisions;
  decisions.insert(decisions.begin(), drops.begin(), drops.end());
  for (const auto& one : held) {
    if (one.of->reservation.valid()) {
      const auto& old = cluster.reservation(one.of->reservation);
      if (old.start == one.start && old.nodes == one.placement) continue;
    }
    decisions.push_back(ReserveJob{one.job, one.start, one.placement});
  }
}

}  // namespace maui
