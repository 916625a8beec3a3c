#include "sched/cycle_state.h"

#include <algorithm>

#include "sched/feasibility.h"
#include "sched/node_sets.h"

namespace maui {

// What is known of a request in this cycle (CycleMemory::misfits).
constexpr char kFitsNowhere = 1, kFitsNoSet = 2;

bool makes_reservations(const Settings& settings) {
  return settings.reservation_policy != ReservationPolicy::never &&
         settings.backfill != BackfillPolicy::none && settings.backfill != BackfillPolicy::preempt;
}

bool keeps_reservations(const Settings& settings) {
  return settings.reservation_policy == ReservationPolicy::highest && makes_reservations(settings);
}

CycleState::CycleState(CycleMemory& memory, const Cluster& cluster, const Settings& settings,
                       Time now)
    : memory_(memory),
      cluster_(cluster),
      settings_(settings),
      now_(now),
      flags_(cluster, settings),
      throttling_(cluster, settings, now),
      free_procs_(cluster.counts().open_procs) {
  memory_.timeline.begin(cluster, settings, now, keeps_reservations(settings));
  memory_.asking.clear();
  memory_.misfits_of_sets.resize(cluster.request_slots());
  for (auto& of_sets : memory_.misfits_of_sets) of_sets.clear();
  memory_.misfits.assign(cluster.request_slots(), 0);
  memory_.judgements.resize(cluster.request_slots());
}

const CycleMemory::Asking& CycleState::asking(std::size_t rank) {
  if (memory_.asking.size() != jobs()) memory_.asking.assign(jobs(), {});
  auto& known = memory_.asking[rank];
  if (known.access == CycleMemory::kNotLookedUp)
    known = {timeline().access_sets().of(job(rank), request(rank)),
             !job(rank).alternatives.empty()};
  return known;
}

// What does not fit may do so for jobs with other access, or of another user.
std::uint64_t CycleState::special_key(std::size_t rank) {
  const std::uint64_t set = access_of(rank);
  const std::uint64_t waits = waits_for_set(job(rank), request(rank), now_) ? 1 : 0;
  const std::uint64_t user = timeline().users_matter() ? job(rank).credentials.user.raw() : 0;
  return std::uint64_t{plan_.order[rank].request.raw()} << 40 ^ waits << 39 ^ set << 24 ^ user;
}

bool CycleState::known_not_to_fit(std::size_t rank) {
  // What did not fit into its node sets may fit for a job that need not wait for one any longer.
  const auto tried = memory_.misfits[plan_.order[rank].request.index()];
  const bool misfit = tried == kFitsNowhere ||
                      (tried == kFitsNoSet && waits_for_set(job(rank), request(rank), now_));
  const bool access_lists = timeline().access_sets().any();
  if (misfit && !access_lists) return true;
  if (!misfit && special_misfits_.empty() && !misfits_of_sets_) return false;
  const auto set = access_of(rank);
  if (misfit && set == 0) return true;
  if (special(rank)) return special_misfits_.contains(special_key(rank));
  const auto& of_sets = memory_.misfits_of_sets[plan_.order[rank].request.index()];
  return set < of_sets.size() && of_sets[set];
}

// Under SINGLEUSER the answer is the user's, with access lists that of the credentials.
void CycleState::note_misfit(std::size_t rank) {
  const auto index = plan_.order[rank].request.index();
  const auto set = access_of(rank);
  if (!timeline().users_matter() && set == 0) {
    memory_.misfits[index] =
        waits_for_set(job(rank), request(rank), now_) ? kFitsNoSet : kFitsNowhere;
  } else if (special(rank)) {
    special_misfits_.insert(special_key(rank));
  } else {
    auto& of_sets = memory_.misfits_of_sets[index];
    if (of_sets.size() <= set) of_sets.resize(set + 1);
    of_sets[set] = true;
    misfits_of_sets_ = true;
  }
}

void CycleState::forget_misfits() {
  std::fill(memory_.misfits.begin(), memory_.misfits.end(), char{0});
  for (auto& of_sets : memory_.misfits_of_sets) of_sets.clear();
  misfits_of_sets_ = false;
  special_misfits_.clear();
}

bool CycleState::ever_feasible(std::size_t rank) {
  const auto id = plan_.order[rank].request;
  auto& known = memory_.judgements[id.index()];
  const bool special = !job(rank).alternatives.empty();
  if (!special && known.serial == cluster_.request_serial(id) &&
      known.node_changes == cluster_.node_changes())
    return known.feasible;
  bool feasible = maui::ever_feasible(cluster_, request(rank));
  for (const auto& shape : job(rank).alternatives)
    feasible = feasible || maui::ever_feasible(cluster_, in_shape(request(rank), shape));
  if (!special) known = {cluster_.request_serial(id), cluster_.node_changes(), feasible};
  return feasible;
}

bool CycleState::held_by_limits(std::size_t rank) {
  if (!throttling_.any() || !throttling_.violated(job(rank), level_)) return false;
  reason(rank) = Reason::policy;
  return true;
}

bool CycleState::held_by_limits(std::size_t rank, const Request& shape,
                                const Placement& placement) {
  if (!throttling_.any() || !throttling_.violated(job(rank), shape, level_, &placement))
    return false;
  reason(rank) = Reason::policy;
  return true;
}

bool CycleState::start(std::size_t rank, Seconds at_least, bool backfilled) {
  if (known_not_to_fit(rank) || held_by_limits(rank)) return false;
  if (timeline().access_sets().any() && !asking(rank).alternatives &&
      timeline().known_not_to_fit(plan_.order[rank].request, access_now(rank), at_least)) {
    note_misfit(rank);
    return false;
  }
  const auto& candidate = job(rank);
  if (!candidate.alternatives.empty()) return start_alternative(rank, at_least, backfilled);
  const auto& wanted = request(rank);
  if (auto slot = timeline().fits_now(candidate, wanted, at_least)) {
    if (held_by_limits(rank, wanted, slot->placement)) return false;
    commit_start(rank, std::move(*slot), backfilled, 0, wanted);
    return true;
  }
  note_misfit(rank);
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
    const auto shaped = in_shape(request(rank), shape);
    auto slot = timeline().fits_now(candidate, shaped, at_least);
    if (slot && !throttling_.violated(candidate, shaped, level_, &slot->placement)) {
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
  timeline().hold(job(rank), wanted, slot.placement, now_);
  throttling_.add(job(rank), wanted, slot.placement);
  free_procs_ -= wanted.total_procs();
  plan_.reasons[rank] = Reason::none;
  if (backfilled) plan_.backfilled.push_back(static_cast<std::uint32_t>(rank));
  ++plan_.starts;
  plan_.decisions.push_back(
      StartJob{plan_.order[rank].job, std::move(slot.placement), backfilled, alternative});
}

void CycleState::commit_resume(const Pin& pin) {
  free_procs_ -= pin.rest.total_procs();
  throttling_.add(cluster_.job(pin.job), pin.rest, cluster_.job(pin.job).placement);
  plan_.decisions.push_back(ResumeJob{pin.job});
}

void CycleState::commit_reservation(std::size_t rank, const Slot& slot) {
  timeline().hold(job(rank), request(rank), slot.placement, slot.start);
  plan_.reasons[rank] = Reason::reserved_later;
  ++plan_.reserves;
}

bool CycleState::relax() {
  level_ = Strictness::hard;
  bool any = false;
  for (auto& why : plan_.reasons) {
    if (why != Reason::policy) continue;
    why = Reason::not_reached;
    any = true;
  }
  return any;
}

void CycleState::hold_for_good(std::size_t rank, std::string why) {
  plan_.reasons[rank] = Reason::never;
  plan_.decisions.push_back(HoldJob{plan_.order[rank].job, Hold::defer, std::move(why)});
}

}  // namespace maui
