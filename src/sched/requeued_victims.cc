#include "sched/requeued_victims.h"

#include "sched/cycle_state.h"
#include "sched/rules/partition_policies.h"
#include "sched/victim_kind.h"

namespace maui {

bool RequeuedVictims::would_take_others(std::size_t index, const Job& job, const Request& request,
                                        const Slot& slot) {
  const Job& leaves = state_.cluster().job(candidates_[index].job);
  const bool waits = state_.settings().jobs.preemption != Preemption::suspend;
  if (candidates_[index].planned || !waits) return false;
  const Chosen others = takable(index, job.id);
  if (others.empty()) return false;
  auto& timeline = state_.timeline();
  const Request& again = state_.cluster().request(leaves.request);
  const auto fits = [&] { return timeline.fits_now(leaves, again).has_value(); };
  timeline.hold(job, request, slot.placement, state_.now());
  bool takes_others = !fits();
  if (takes_others) {
    candidates_.lay_off(others);
    takes_others = fits();
    candidates_.put_back(others);
  }
  timeline.release(job.id);
  return takes_others;
}

VictimCandidates::Chosen RequeuedVictims::takable(std::size_t index, JobId preemptor) {
  const auto kinds = takes(index, preemptor);
  const Job& leaves = state_.cluster().job(candidates_[index].job);
  Chosen others;
  for (std::size_t i = 0; kinds != 0 && i < candidates_.size(); ++i)
    if (i != index && !candidates_[i].taken && (candidates_[i].kinds & kinds) != 0 &&
        would_be_above(index, i) &&
        !candidates_.would_be_guest_of(i, leaves, candidates_.nodes_of(candidates_[i])))
      others.push_back(i);
  return others;
}

unsigned RequeuedVictims::takes(std::size_t index, JobId preemptor) {
  const Job& job = state_.cluster().job(candidates_[index].job);
  return preemptible_by(state_.flags(), job) |
         (heads_the_queue(index, preemptor) ? kTakenByHeads : 0U);
}

bool RequeuedVictims::heads_the_queue(std::size_t index, JobId preemptor) {
  const auto& cluster = state_.cluster();
  const Job& job = cluster.job(candidates_[index].job);
  const Request& request = cluster.request(job.request);
  if (!candidates_.taken_by_heads(request)) return false;
  int left = 0;
  for (const auto& stack : state_.settings().reservation_stacks) left += stack.depth;
  const auto lane = backfills_by(cluster, state_.settings(), request);
  const auto priority = candidates_[index].priority;
  for (std::size_t rank = 0; rank < state_.jobs() && left > 0; ++rank) {
    const Job& other = state_.job(rank);
    const auto its = state_.plan().order[rank].priority;
    if (its < priority || (its == priority && queued(job) < other.queued)) break;
    const bool waits = state_.reason(rank) != Reason::none && other.id != preemptor &&
                       !state_.limits_hold_back(rank);
    if (waits && backfills_by(cluster, state_.settings(), state_.request(rank)) == lane) --left;
  }
  return left > 0;
}

bool RequeuedVictims::would_be_above(std::size_t victim, std::size_t other) {
  const auto& cluster = state_.cluster();
  const Job& leaves = cluster.job(candidates_[victim].job);
  const Job& stays = cluster.job(candidates_[other].job);
  // From now on its priority is what it was at its start: its run is no queue time.
  const auto priority = candidates_[victim].priority;
  if (!candidates_.could_take_each_other(candidates_[other], leaves))
    return candidates_[other].priority <= priority;
  const auto its = candidates_.in_queue(other);
  return its == priority ? queued(leaves) < stays.queued : its < priority;
}

// Its run is no queue time.
Time RequeuedVictims::queued(const Job& job) const {
  return job.queued + job.run_so_far(state_.now());
}

}  // namespace maui
