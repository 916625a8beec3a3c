#include "sched/cycle_state.h"

#include <algorithm>
#include <utility>

#include "model/placement.h"
#include "sched/placement/completion_date.h"
#include "sched/placement/feasibility.h"
#include "sched/placement/node_sets.h"
#include "sched/placement/variants.h"

namespace maui {

CycleState::CycleState(CycleMemory& memory, const Cluster& cluster, const Settings& settings,
                       Time now)
    : memory_(memory),
      cluster_(cluster),
      settings_(settings),
      now_(now),
      throttling_(cluster, settings, now, memory.limit_rules.of(cluster, settings)),
      reserved_limits_(cluster, throttling_, now),
      free_procs_(cluster.counts().open_procs) {
  memory_.timeline.begin(cluster, settings, now, keeps_reservations(settings),
                         Askers::jobs_of_cluster);
  memory_.access.clear();
  if (memory_.misfits.size() < cluster.request_slots())
    memory_.misfits.resize(cluster.request_slots());
  ++memory_.round;
  if (!throttling_.any()) return;
  for (const auto& held : timeline().held())
    reserved_limits_.reserve(*held.of, *held.request, held.placement, held.start, level_);
}

AccessSet CycleState::access_of(std::size_t rank) {
  auto& sets = timeline().access_sets();
  if (!sets.any()) return sets.of(job(rank), request(rank));
  if (memory_.access.size() != jobs()) memory_.access.assign(jobs(), CycleMemory::kNotLookedUp);
  auto& known = memory_.access[rank];
  if (known == CycleMemory::kNotLookedUp) known = sets.of(job(rank), request(rank));
  return known;
}

// Identifies a request with access, user and set delay, if a misfit holds only for these.
std::uint64_t CycleState::special_key(std::size_t rank) {
  const std::uint64_t set = access_of(rank);
  const std::uint64_t waits = waits_for_set(job(rank), request(rank), now_) ? 1 : 0;
  const std::uint64_t user = timeline().users_matter() ? job(rank).credentials.user.raw() : 0;
  return std::uint64_t{plan_.order[rank].request.raw()} << 40 ^ waits << 39 ^ set << 24 ^ user;
}

bool CycleState::known_not_to_fit(std::size_t rank) {
  // A job that did not fit into its node sets does not speak for a job that need not wait for a set
  // any longer.
  const auto& known = misfit(rank);
  const bool tried =
      known.where == CycleMemory::kFitsNowhere ||
      (known.where == CycleMemory::kFitsNoSet && waits_for_set(job(rank), request(rank), now_));
  const bool access_lists = timeline().access_sets().any();
  if (!tried && special_misfits_.empty() && !misfits_of_sets_) return false;
  if (has_alternatives(rank)) return false;  // other shapes may fit
  if (tried && !access_lists) return true;
  const auto set = access_of(rank);
  if (tried && set == 0) return true;
  if (special(rank)) return special_misfits_.contains(special_key(rank));
  if (!misfits_of_sets_) return false;
  const auto& of_sets = memory_.misfits_of_sets[plan_.order[rank].request.index()];
  return set < of_sets.size() && of_sets[set];
}

bool CycleState::requests_decide() const {
  return settings_.partition_policies.empty() && settings_.backfill != BackfillPolicy::none &&
         !flags().possible(JobFlag::no_backfill) && !memory_.timeline.access_sets().any() &&
         !memory_.timeline.users_matter();
}

bool CycleState::finds_no_room(std::size_t rank) {
  auto& known = misfit(rank);
  if (known.looked || has_alternatives(rank)) return false;
  known.looked = true;
  if (special(rank) || access_of(rank) != 0 ||
      timeline().may_fit_now(job(rank), request(rank), request(rank).limit))
    return false;
  known.where = CycleMemory::kFitsNowhere;
  return true;
}

// Notes the misfit for all jobs, or, under SINGLEUSER or access lists, for the user or access set.
void CycleState::note_misfit(std::size_t rank) {
  if (timeline().cut_short(job(rank), request(rank))) return;
  auto& known = misfit(rank);
  const auto set = access_of(rank);
  if (!timeline().users_matter() && set == 0) {
    known.where = waits_for_set(job(rank), request(rank), now_) ? CycleMemory::kFitsNoSet
                                                                : CycleMemory::kFitsNowhere;
  } else if (special(rank)) {
    special_misfits_.insert(special_key(rank));
  } else {
    if (!std::exchange(misfits_of_sets_, true))
      memory_.misfits_of_sets.assign(memory_.misfits.size(), {});
    auto& of_sets = memory_.misfits_of_sets[plan_.order[rank].request.index()];
    if (of_sets.size() <= set) of_sets.resize(set + 1);
    of_sets[set] = true;
  }
}

void CycleState::forget_misfits() {
  ++memory_.round;
  misfits_of_sets_ = false;
  special_misfits_.clear();
  placeless_.clear();
}

bool CycleState::passes_limits(std::size_t rank) {
  if (!limits_hold_back(rank)) return false;
  reason(rank) = Reason::policy;
  return true;
}

bool CycleState::held_by_limits(std::size_t rank, const Request& shape,
                                const Placement& placement) {
  if (within_limits(job(rank), shape, placement)) return false;
  reason(rank) = Reason::policy;
  return true;
}

bool CycleState::within_limits(const Job& candidate, const Request& shape,
                               const Placement& placement) {
  return !throttling_.any() || (!throttling_.asks_too_much(candidate, shape) &&
                                !throttling_.violated(candidate, shape, level_, &placement) &&
                                !reserved_limits_.harmed_by(candidate, shape, placement, now_));
}

bool CycleState::may_resume(const Job& suspended, const Request& rest) {
  const Placement& nodes = suspended.placement;
  return !throttling_.any() || (!throttling_.violated(suspended, rest, Strictness::hard, &nodes) &&
                                !reserved_limits_.harmed_by(suspended, rest, nodes, now_));
}

std::optional<Slot> CycleState::first_slot_from(Time begin, std::size_t rank, Time not_after) {
  const auto& candidate = job(rank);
  const auto& wanted = request(rank);
  const Time last = std::min(not_after, latest_start(cluster_, candidate, wanted));
  bool in_time = not_after <= last;
  const bool as_others = !plan_.order[rank].special && !wanted.node_set && last == kForever;
  const bool nowhere = as_others && !placeless_.empty() && placeless_.contains(special_key(rank));
  const auto earliest = [&](const Request& shape, Time from) {
    auto slot = nowhere ? std::nullopt : timeline().earliest(candidate, shape, from, last);
    if (!slot && as_others && from <= now_ && &shape == &wanted &&
        !timeline().cut_short(candidate, wanted))
      placeless_.insert(special_key(rank));
    if (!slot) return slot;
    in_time = slot->start <= latest_start(cluster_, candidate, wanted, slot->placement);
    return in_time ? std::move(slot) : std::nullopt;
  };
  if (!throttling_.any()) {
    auto slot = earliest(wanted, begin);
    if (!slot && !in_time) reason(rank) = Reason::completion_date;
    return slot;
  }
  bool fits = false;
  StartSearch search{begin, level_, [&](const Request& shape, Time from) {
                       auto slot = earliest(shape, from);
                       fits = fits || slot;
                       return slot;
                     }};
  auto slot = reserved_limits_.first_slot(candidate, wanted, search);
  if (slot) return slot;
  if (fits || throttling_.violated(candidate, level_))
    reason(rank) = Reason::policy;
  else if (!in_time)
    reason(rank) = Reason::completion_date;
  return slot;
}

bool CycleState::keep_place(std::size_t rank, const Reservation& before) {
  const Time start = std::max(before.start, now_);
  const Strictness level = std::exchange(level_, Strictness::hard);
  const auto slot = first_slot_from(start, rank, start);
  if (slot) commit_reservation(rank, *slot);
  level_ = level;
  if (!slot) reason(rank) = Reason::policy;
  return slot.has_value();
}

void CycleState::leave_place(std::size_t rank) {
  release(rank);
  --plan_.reserves;
  reason(rank) = Reason::policy;
}

const Reservation* CycleState::reserved_before(std::size_t rank) const {
  if (!plan_.order[rank].reserved) return nullptr;
  const auto id = job(rank).reservation;
  return id.valid() ? &cluster_.reservation(id) : nullptr;
}

// Without its job, a dedicated node is free as a whole.
std::int64_t CycleState::procs_left_by(const Job& active) const {
  std::int64_t procs = 0;
  for (const NodeTasks& share : active.placement) {
    const Node& node = cluster_.node(share.node);
    if (node.available()) procs += node.configured.procs();
  }
  return procs;
}

void CycleState::discount(const Job& active) {
  throttling_.remove(active);
  if (throttling_.any()) reserved_limits_.leave(active);
}

void CycleState::count_again(const Job& active) {
  throttling_.put_back(active);
  if (throttling_.any()) reserved_limits_.stay(active);
}

void CycleState::commit_preemption(const Job& active, Preemption how, JobId preemptor) {
  placeless_.clear();
  free_procs_ += procs_left_by(active);
  discount(active);
  plan_.decisions.push_back(PreemptJob{active.id, how, preemptor});
}

void CycleState::undo_preemption(const Job& active) {
  free_procs_ -= procs_left_by(active);
  count_again(active);
  std::erase_if(plan_.decisions, [&](const Decision& decision) {
    const auto* victim = std::get_if<PreemptJob>(&decision);
    return victim && victim->job == active.id;
  });
}

void CycleState::leave_for(JobId id, JobId preemptor) {
  for (Decision& decision : plan_.decisions)
    if (auto* victim = std::get_if<PreemptJob>(&decision); victim && victim->job == id)
      victim->preemptor = preemptor;
}

void CycleState::release(std::size_t rank) {
  placeless_.clear();
  timeline().release(job(rank).id);
  if (throttling_.any()) reserved_limits_.release(job(rank));
}

void CycleState::give_up(JobId id) {
  if (!timeline().holds(id)) return;
  given_up_.push_back(id);
  placeless_.clear();
  timeline().release(id);
  if (throttling_.any()) reserved_limits_.release(cluster_.job(id));
}

bool CycleState::start(std::size_t rank, Seconds at_least, bool backfilled) {
  if (known_not_to_fit(rank) || held_by_limits(rank)) return false;
  if (full()) {
    reason(rank) = Reason::next_iteration;
    plan_.goes_on = true;
    return false;
  }
  const auto& candidate = job(rank);
  if (!candidate.alternatives.empty()) return start_alternative(rank, at_least, backfilled);
  const auto& wanted = request(rank);
  if (now_ > latest_start(cluster_, candidate, wanted)) return out_of_time(rank);
  if (auto slot = timeline().fits_now(candidate, wanted, at_least)) {
    if (now_ > latest_start(cluster_, candidate, wanted, slot->placement)) return out_of_time(rank);
    const PartitionId partition = slot->partition;
    const bool waits_for_room = within_room(candidate, wanted, slot->placement).has_value();
    if (auto found = allowed(rank, wanted, *std::move(slot), at_least)) {
      commit_start(rank, *std::move(found), backfilled, 0, wanted);
      return true;
    }
    // On fewer or faster nodes limits would let the job start, so it waits for these.
    reason(rank) = waits_for_room ? Reason::not_reached : Reason::policy;
    return throttling_.limits(partition) && start_elsewhere(rank, partition, at_least, backfilled);
  }
  note_misfit(rank);
  return false;
}

std::optional<Slot> CycleState::allowed(std::size_t rank, const Request& shape, Slot slot,
                                        Seconds at_least) {
  const Job& candidate = job(rank);
  if (within_limits(candidate, shape, slot.placement)) return slot;
  const auto narrower = within_room(candidate, shape, slot.placement);
  auto other = narrower ? timeline().fits_now(candidate, *narrower, at_least) : std::nullopt;
  const bool in_time = other &&
                       now_ <= latest_start(cluster_, candidate, shape, other->placement) &&
                       within_limits(candidate, shape, other->placement);
  if (in_time) return other;
  if (level_ == Strictness::soft) beyond_soft_.push_back(rank);
  return std::nullopt;
}

std::optional<Request> CycleState::within_room(const Job& candidate, const Request& shape,
                                               const Placement& placement) {
  const auto left = throttling_.left_to(candidate, shape, placement, level_);
  const bool too_many = std::cmp_less(left.nodes, node_count(placement));
  auto fewer = too_many ? on_at_most(shape, left.nodes) : std::nullopt;
  if (too_many && !fewer) return std::nullopt;
  auto faster = on_fast_nodes(cluster_, fewer ? *fewer : shape, left.time);
  return faster ? std::move(faster) : std::move(fewer);
}

bool CycleState::out_of_time(std::size_t rank) {
  reason(rank) = Reason::completion_date;
  return false;
}

// Tries the other partitions that the job may use, one after the other.
bool CycleState::start_elsewhere(std::size_t rank, PartitionId full, Seconds at_least,
                                 bool backfilled) {
  auto rest = request(rank);
  if (rest.span) return false;
  for (;;) {
    const auto usable = usable_partitions(cluster_, rest);
    rest.partitions.assign(usable.begin(), usable.end());
    std::erase(rest.partitions, full);
    if (rest.partitions.empty()) return false;
    std::sort(rest.partitions.begin(), rest.partitions.end());
    auto slot = timeline().fits_now(job(rank), rest, at_least);
    if (!slot) {
      // If limits would let the job start, the job waits for room.
      if (!throttling_.violated(job(rank), rest, level_)) reason(rank) = Reason::not_reached;
      return false;
    }
    full = slot->partition;
    if (now_ > latest_start(cluster_, job(rank), rest, slot->placement)) continue;
    if (auto found = allowed(rank, rest, *std::move(slot), at_least)) {
      commit_start(rank, *std::move(found), backfilled, 0, rest);
      return true;
    }
  }
}

// Starts the shape that fits now and ends first; among equals, the one with the most tasks.
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
    if (!slot || now_ > latest_start(cluster_, candidate, shaped, slot->placement)) continue;
    if (auto found = allowed(rank, shaped, *std::move(slot), at_least)) {
      best = std::move(found);
      chosen = i;
    }
  }
  if (!best) return false;
  const auto shaped = in_shape(request(rank), candidate.alternatives[chosen]);
  commit_start(rank, std::move(*best), backfilled, chosen, shaped);
  return true;
}

void CycleState::begin_trial(const Job& candidate, const Request& shape,
                             const Placement& placement) {
  timeline().hold(candidate, shape, placement, now_);
  throttling_.add(candidate, shape, placement);
  if (throttling_.any()) reserved_limits_.begin_trial(candidate, shape, placement);
}

void CycleState::end_trial(const Job& candidate, const Request& shape, const Placement& placement) {
  timeline().release(candidate.id);
  throttling_.take_back(candidate, shape, placement);
  if (throttling_.any()) reserved_limits_.end_trial(candidate, shape, placement);
}

// The model keeps a version of a node for each start on it, until the cycle ends.
void CycleState::count_kept(const Placement& placement) {
  if (placement.empty()) return;
  const NodeId first = (*placement.begin()).node;
  const auto jobs = static_cast<std::int64_t>(cluster_.occupancy(first).occupants.size());
  kept_ += jobs + ++started_on_[first];
}

void CycleState::commit_start(std::size_t rank, Slot slot, bool backfilled, std::size_t alternative,
                              const Request& wanted) {
  timeline().hold(job(rank), wanted, slot.placement, now_);
  count_kept(slot.placement);
  throttling_.add(job(rank), wanted, slot.placement);
  if (throttling_.any()) reserved_limits_.start(job(rank), wanted, slot.placement);
  free_procs_ -= wanted.total_procs();
  plan_.reasons[rank] = Reason::none;
  if (backfilled) plan_.backfilled.push_back(static_cast<std::uint32_t>(rank));
  ++plan_.starts;
  const auto& ranked = plan_.order[rank];
  plan_.decisions.push_back(
      StartJob{ranked.job, std::move(slot.placement), backfilled, alternative, ranked.priority});
}

void CycleState::commit_resume(const Pin& pin) {
  free_procs_ -= pin.rest.total_procs();
  const auto& resumed = cluster_.job(pin.job);
  throttling_.add(resumed, pin.rest, resumed.placement);
  if (throttling_.any()) reserved_limits_.start(resumed, pin.rest, resumed.placement);
  plan_.decisions.push_back(ResumeJob{pin.job});
}

// A job that was reserved meanwhile may now begin earlier.
void CycleState::take_back(const Job& taken, const Request& shape, const Placement& placement) {
  placeless_.clear();
  timeline().release(taken.id);
  throttling_.take_back(taken, shape, placement);
  if (throttling_.any()) reserved_limits_.release(taken);
  free_procs_ += shape.total_procs();
  plan_.reservations_earliest = false;
}

std::size_t CycleState::undo_start(JobId id, const Request& shape, const Placement& placement) {
  take_back(cluster_.job(id), shape, placement);
  const auto line = std::find_if(plan_.order.begin(), plan_.order.end(),
                                 [id](const Plan::Ranked& one) { return one.job == id; });
  const auto rank = static_cast<std::size_t>(line - plan_.order.begin());
  plan_.reasons[rank] = Reason::not_reached;
  std::erase(plan_.backfilled, static_cast<std::uint32_t>(rank));
  --plan_.starts;
  std::erase_if(plan_.decisions, [&](const Decision& decision) {
    const auto* start = std::get_if<StartJob>(&decision);
    return start && start->job == id;
  });
  return rank;
}

void CycleState::undo_resume(const Pin& pin) {
  const Job& job = cluster_.job(pin.job);
  take_back(job, pin.rest, job.placement);
  std::erase_if(plan_.decisions, [&](const Decision& decision) {
    const auto* resumption = std::get_if<ResumeJob>(&decision);
    return resumption && resumption->job == pin.job;
  });
}

void CycleState::commit_reservation(std::size_t rank, const Slot& slot) {
  hold(rank, slot);
  plan_.reasons[rank] = Reason::reserved_later;
  ++plan_.reserves;
}

void CycleState::take(std::size_t rank, Slot slot) {
  if (slot.start > now_)
    commit_reservation(rank, slot);
  else if (!held_by_limits(rank, request(rank), slot.placement))
    commit_start(rank, std::move(slot), false, 0, request(rank));
}

void CycleState::hold_reserved(std::size_t rank, const Slot& slot) {
  if (throttling_.any()) reserved_limits_.release(job(rank));
  hold(rank, slot);
}

void CycleState::hold(std::size_t rank, const Slot& slot) {
  timeline().hold(job(rank), request(rank), slot.placement, slot.start);
  if (throttling_.any())
    reserved_limits_.reserve(job(rank), request(rank), slot.placement, slot.start, level_);
}

bool CycleState::start_reserved(std::size_t rank) {
  const auto* held = timeline().held_by(job(rank).id);
  if (!held || held->start <= now_) return false;
  const Slot slot{held->start, partition_of(cluster_, held->placement), held->placement};
  release(rank);
  reason(rank) = Reason::not_reached;
  if (start(rank, Seconds(0), false)) return true;
  hold(rank, slot);
  reason(rank) = Reason::reserved_later;
  return false;
}

bool CycleState::relax() {
  level_ = Strictness::hard;
  bool any = false;
  const auto reopen = [&](std::size_t rank) {
    plan_.reasons[rank] = Reason::not_reached;
    any = true;
  };
  for (std::size_t rank = 0; rank < jobs(); ++rank)
    if (reason(rank) == Reason::policy) reopen(rank);
  for (const std::size_t rank : std::exchange(beyond_soft_, {}))
    if (reason(rank) != Reason::none && reason(rank) != Reason::reserved_later) reopen(rank);
  return any;
}

}  // namespace maui
