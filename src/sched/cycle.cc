#include "sched/cycle.h"

#include <algorithm>

#include "sched/cycle_state.h"
#include "sched/late_starts.h"
#include "sched/priority.h"

namespace maui {
namespace {

// RESERVATIONDEPTH and RESERVATIONQOSLIST: how many reservations each stack has left.
class Stacks {
 public:
  Stacks(const Cluster& cluster, const Settings& settings) : cluster_(cluster) {
    const bool none = settings.reservation_policy == ReservationPolicy::never ||
                      settings.backfill == BackfillPolicy::none;
    for (const auto& stack : settings.reservation_stacks)
      stacks_.push_back({none ? 0 : stack.depth, &stack.qos});
  }

  /// Takes one place of the job's stack; false when there is none left.
  bool take(const Job& job) {
    for (auto& stack : stacks_) {
      if (!listed(*stack.qos, job)) continue;
      if (stack.left <= 0) return false;
      --stack.left;
      return true;
    }
    return false;
  }
  bool empty() const {
    return std::all_of(stacks_.begin(), stacks_.end(), [](const Stack& s) { return s.left <= 0; });
  }

 private:
  struct Stack {
    int left;
    const std::vector<std::string>* qos;
  };
  bool listed(const std::vector<std::string>& qos, const Job& job) const {
    return qos.empty() ||
           std::find(qos.begin(), qos.end(), cluster_.qos[job.credentials.qos]) != qos.end();
  }

  const Cluster& cluster_;
  std::vector<Stack> stacks_;
};

}  // namespace

Plan plan(const Cluster& cluster, const Settings& settings, Time now) {
  CycleState state(cluster, settings, now);
  prioritise(cluster, settings, now, state.plan().order);
  state.plan().reasons.assign(state.jobs(), Reason::not_reached);
  serve_reserved_jobs(state);
  serve_priority_jobs(state);
  backfill(state);
  drop_stale_reservations(state);
  return std::move(state.plan());
}

void serve_reserved_jobs(CycleState& state) {
  const auto& cluster = state.cluster();
  state.plan().settled_at = cluster.releases();
  if (state.settings().reservation_policy != ReservationPolicy::highest ||
      state.settings().backfill == BackfillPolicy::none)
    return;
  const bool settled = cluster.settled_at() == cluster.releases();
  const auto late = late_starts(cluster, state.now());
  for (std::size_t rank = 0; rank < state.jobs(); ++rank) {
    const auto& job = state.job(rank);
    if (!job.reservation.valid()) continue;
    const auto& kept = cluster.reservation(job.reservation);
    state.reason(rank) = Reason::reserved_later;
    const auto moved = late.find(kept.id);
    const Time due = moved == late.end() ? kept.start : moved->second;
    if (settled && due == kept.start && due > state.now()) continue;
    state.timeline().release(job.id, kept.nodes);
    // Never later for another job's sake; later only if its nodes are gone.
    auto slot = state.timeline().earliest(job, state.request(rank), state.now(), due);
    if (!slot) slot = state.timeline().earliest(job, state.request(rank), state.now());
    if (!slot) {
      state.reason(rank) = Reason::not_reached;
    } else if (slot->start <= state.now()) {
      state.commit_start(rank, std::move(*slot), false, 0, state.request(rank));
    } else {
      state.commit_reservation(rank, *slot);
    }
  }
}

void serve_priority_jobs(CycleState& state) {
  Stacks stacks(state.cluster(), state.settings());
  for (std::size_t rank = 0; rank < state.jobs(); ++rank) {
    if (!state.open(rank)) {
      // A reservation that is kept fills its place.
      if (state.reason(rank) == Reason::reserved_later) stacks.take(state.job(rank));
      continue;
    }
    if (state.start(rank, Seconds(0), false)) continue;
    if (!state.ever_feasible(rank)) {
      state.reason(rank) = Reason::never;
      state.plan().decisions.push_back(
          HoldJob{state.plan().order[rank].job, Hold::batch,
                  "NoResources: the job asks for more than the cluster has"});
      continue;
    }
    if (!stacks.take(state.job(rank))) break;
    const auto slot = state.timeline().earliest(state.job(rank), state.request(rank), state.now());
    if (!slot) break;
    state.commit_reservation(rank, *slot);
    if (stacks.empty()) break;
  }
}

void drop_stale_reservations(CycleState& state) {
  const auto& cluster = state.cluster();
  std::vector<ReservationId> stale;
  for (const auto id : cluster.reservations())
    if (cluster.reservation(id).kind == ReservationKind::job) stale.push_back(id);
  // What was renewed, or started, stands near the front of the order.
  for (std::size_t rank = 0; rank < state.jobs() && !stale.empty(); ++rank) {
    if (state.reason(rank) != Reason::reserved_later && state.reason(rank) != Reason::none) continue;
    const auto own = state.job(rank).reservation;
    if (own.valid()) std::erase(stale, own);
  }
  auto& decisions = state.plan().decisions;
  std::vector<Decision> drops;
  for (const auto id : stale) drops.emplace_back(DropReservation{id});
  decisions.insert(decisions.begin(), drops.begin(), drops.end());
}

}  // namespace maui
