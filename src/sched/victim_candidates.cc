#include "sched/victim_candidates.h"

#include "sched/cycle_state.h"
#include "sched/priority/priority.h"
#include "sched/rules/partition_policies.h"
#include "sched/victim_kind.h"

namespace maui {

const Placement& VictimCandidates::nodes_of(const Candidate& candidate) const {
  return candidate.planned ? candidate.planned->nodes
                           : state_.cluster().job(candidate.job).placement;
}

std::int64_t VictimCandidates::in_queue(std::size_t index) {
  if (in_queue_.size() < all_.size()) {
    std::vector<JobId> jobs;
    for (std::size_t i = in_queue_.size(); i < all_.size(); ++i) jobs.push_back(all_[i].job);
    const auto more = priorities_in_queue(state_.cluster(), state_.settings(), state_.now(), jobs);
    in_queue_.insert(in_queue_.end(), more.begin(), more.end());
  }
  return in_queue_[index];
}

bool VictimCandidates::taken_by_heads(const Request& request) const {
  return preempts_backfilled(state_.settings()) &&
         backfill_policy(state_.cluster(), state_.settings(), request) == BackfillPolicy::preempt;
}

bool VictimCandidates::could_take_each_other(const Candidate& candidate, const Job& job) const {
  return candidate.takes != 0 && kinds_given_by(state_.flags(), state_.flags().of(job)) != 0;
}

bool VictimCandidates::would_be_guest_of(std::size_t index, const Job& job,
                                         const Placement& there) const {
  return owned_.any() &&
         owned_.guest_of(state_.cluster().job(all_[index].job), job, there, state_.flags());
}

bool VictimCandidates::less_harm(std::size_t a, std::size_t b) const {
  const auto& candidate = all_[a];
  const auto& other = all_[b];
  if (candidate.last != other.last) return other.last;
  if (candidate.harm != other.harm) return candidate.harm < other.harm;
  if (candidate.priority != other.priority) return candidate.priority < other.priority;
  return a > b;
}

void VictimCandidates::lay_off(const Chosen& chosen) {
  for (const auto i : chosen)
    if (all_[i].planned)
      state_.timeline().release(all_[i].job);
    else
      state_.timeline().vacate(all_[i].job);
}

void VictimCandidates::put_back(const Chosen& chosen) {
  for (const auto i : chosen) {
    const Candidate& candidate = all_[i];
    const Job& job = state_.cluster().job(candidate.job);
    auto& timeline = state_.timeline();
    if (!candidate.planned)
      timeline.put_back(job.id);
    else if (candidate.planned->pin)
      timeline.pin(job, candidate.planned->shape, job.placement, state_.now());
    else
      timeline.hold(job, candidate.planned->shape, candidate.planned->nodes, state_.now());
  }
}

}  // namespace maui
