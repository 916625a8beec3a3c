// The jobs that have priority reservations when a cycle begins: those whose time has come start,
// and kept reservations (RESERVATIONPOLICY HIGHEST) move to earlier slots.
#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "model/placement.h"
#include "sched/cycle_state.h"
#include "sched/rules/partition_policies.h"

namespace maui {
namespace {

// Reserves a new slot for a job whose reservation has been released, or starts the job: a job with
// several shapes in any of them.
void reserve_anew(CycleState& state, std::size_t rank, Time not_after = kForever) {
  state.reason(rank) = Reason::not_reached;
  if (state.has_alternatives(rank) && state.start(rank, Seconds(0), false)) return;
  state.reason(rank) = Reason::not_reached;
  auto slot = state.first_slot(rank, not_after);
  if (!slot && not_after < kForever) slot = state.first_slot(rank);
  if (!slot) return;
  state.reason(rank) = Reason::not_reached;
  state.take(rank, *std::move(slot));
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
    const JobId id = state.job(rank).id;
    if (!state.reserved_before(rank) || state.reason(rank) == Reason::none || state.gave_up(id))
      continue;
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

// True if some of these jobs have several shapes.
bool any_with_shapes(const CycleState& state, const std::vector<std::size_t>& ranks) {
  return std::any_of(ranks.begin(), ranks.end(),
                     [&](std::size_t rank) { return state.has_alternatives(rank); });
}

// Slides each reservation by itself.  The place that one leaves may let a higher one move, so all
// are tried again then.
void slide_in_turn(CycleState& state, const std::vector<std::size_t>& later) {
  constexpr int kPasses = 8;
  bool again = true;
  for (int pass = 0; again && pass < kPasses; ++pass) {
    again = false;
    bool higher_wait = false;
    for (const auto rank : later) {
      const JobId id = state.job(rank).id;
      const auto* held = state.timeline().held_by(id);
      if (!held && pass > 0) continue;  // it starts
      const Time before = held ? held->start : state.now();
      slide(state, rank);
      held = state.timeline().held_by(id);
      again = again || (higher_wait && (held ? held->start : state.now()) < before);
      higher_wait = higher_wait || held;
    }
  }
}

// Moves all later reservations to the earliest slots, and starts the jobs whose slots begin now.
void slide_forward(CycleState& state, const std::vector<std::size_t>& later) {
  std::vector<JobId> by_priority;
  for (const auto rank : later) by_priority.push_back(state.job(rank).id);
  // Limits depend on the jobs that run then, and a job with several shapes may start in another
  // one: then each reservation moves by itself.
  if (state.throttling().any() || any_with_shapes(state, later) ||
      !state.timeline().slide_together(by_priority))
    return slide_in_turn(state, later);
  for (const auto rank : later) {
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
  state.plan().reservations_earliest = true;
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
  // A job that ends at its limit gives way to no earlier reservation, but perhaps to another shape.
  if (!cluster.reservations_may_advance() && !late && !given_up && !gained_room &&
      state.settled().empty() && !any_with_shapes(state, later))
    return;
  slide_forward(state, later);
}

}  // namespace maui
