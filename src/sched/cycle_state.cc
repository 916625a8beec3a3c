#include "sched/cycle_state.h"

#include <algorithm>

#include "sched/feasibility.h"

namespace maui {
namespace {

bool keeps_reservations(const Settings& settings) {
  return settings.reservation_policy == ReservationPolicy::highest &&
         settings.backfill != BackfillPolicy::none;
}

}  // namespace

Request in_shape(const Request& request, const std::pair<int, Seconds>& shape) {
  Request shaped = request;
  shaped.requirements.front().tasks = shape.first;
  shaped.limit = shape.second;
  return shaped;
}

CycleState::CycleState(const Cluster& cluster, const Settings& settings, Time now)
    : cluster_(cluster),
      settings_(settings),
      now_(now),
      timeline_(cluster, settings, now, keeps_reservations(settings)),
      misfits_(cluster.request_slots()),
      feasible_(cluster.request_slots()) {
  for (std::uint32_t kind = 0; kind < cluster.kinds(); ++kind)
    any_single_user_node_ =
        any_single_user_node_ ||
        cluster.node(cluster.sample_of_kind(kind)).policy.access == NodeAccess::single_user;
  for (const auto id : cluster.reservations())
    access_lists_ = access_lists_ || !cluster.reservation(id).access.empty();
}

bool CycleState::known_not_to_fit(std::size_t rank) {
  const auto id = plan_.order[rank].request;
  const bool misfit = misfits_[id.index()];
  if (misfit && !access_lists_) return true;
  if (!misfit && special_misfits_.empty()) return false;
  const auto& who = job(rank).credentials;
  const std::uint64_t set = timeline_.access_sets().of(who);
  if (misfit && set == 0) return true;
  return special_misfits_.contains(std::uint64_t{id.raw()} << 40 ^ set << 24 ^ who.user.raw());
}

void CycleState::forget_misfits() {
  std::fill(misfits_.begin(), misfits_.end(), false);
  special_misfits_.clear();
}

bool CycleState::ever_feasible(std::size_t rank) {
  auto& known = feasible_[plan_.order[rank].request.index()];
  if (known == 0) {
    bool feasible = maui::ever_feasible(cluster_, request(rank));
    for (const auto& shape : job(rank).alternatives)
      feasible = feasible || maui::ever_feasible(cluster_, in_shape(request(rank), shape));
    known = feasible ? 1 : -1;
  }
  return known > 0;
}

bool CycleState::start(std::size_t rank, Seconds at_least, bool backfilled) {
  if (known_not_to_fit(rank)) return false;
  const auto& candidate = job(rank);
  if (!candidate.alternatives.empty()) return start_alternative(rank, at_least, backfilled);
  const auto& wanted = request(rank);
  if (auto slot = timeline_.fits_now(candidate, wanted, at_least)) {
    commit_start(rank, std::move(*slot), backfilled, 0, wanted);
    return true;
  }
  // Under SINGLEUSER the answer is the user's, with access lists that of the credentials.
  const auto set = timeline_.access_sets().of(candidate.credentials);
  const auto id = plan_.order[rank].request;
  if (set == 0 && wanted.access != NodeAccess::single_user && !any_single_user_node_)
    misfits_[id.index()] = true;
  else
    special_misfits_.insert(std::uint64_t{id.raw()} << 40 ^ std::uint64_t{set} << 24 ^
                            candidate.credentials.user.raw());
  return false;
}

// Of the shapes that fit now, the one that ends first; of these, the one with the most tasks.
bool CycleState::start_alternative(std::size_t rank, Seconds at_least, bool backfilled) {
  const auto& candidate = job(rank);
  std::optional<Slot> best;
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < candidate.alternatives.size(); ++i) {
    const auto& shape = candidate.alternatives[i];
    const auto& so_far = candidate.alternatives[chosen];
    const bool better = !best || shape.second < so_far.second ||
                        (shape.second == so_far.second && shape.first > so_far.first);
    if (!better) continue;
    if (auto slot = timeline_.fits_now(candidate, in_shape(request(rank), shape), at_least)) {
      best = std::move(slot);
      chosen = i;
    }
  }
  if (!best) return false;
  const auto shaped = in_shape(request(rank), candidate.alternatives[chosen]);
  commit_start(rank, std::move(*best), backfilled, chosen, shaped);
  return true;
}

void CycleState::commit_start(std::size_t rank, Slot slot, bool backfilled, std::size_t alternative,
                              const Request& wanted) {
  timeline_.hold(job(rank), wanted, slot.placement, now_);
  plan_.reasons[rank] = Reason::none;
  if (backfilled) plan_.backfilled.push_back(static_cast<std::uint32_t>(rank));
  ++plan_.starts;
  plan_.decisions.push_back(
      StartJob{plan_.order[rank].job, std::move(slot.placement), backfilled, alternative});
}

void CycleState::commit_reservation(std::size_t rank, const Slot& slot) {
  const auto& reserved = job(rank);
  timeline_.hold(reserved, request(rank), slot.placement, slot.start);
  plan_.reasons[rank] = Reason::reserved_later;
  ++plan_.reserves;
  if (reserved.reservation.valid()) {
    const auto& old = cluster_.reservation(reserved.reservation);
    if (old.start == slot.start && old.nodes == slot.placement) return;
  }
  plan_.decisions.push_back(ReserveJob{reserved.id, slot.start, slot.placement});
}

}  // namespace maui
