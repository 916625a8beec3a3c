#include "sched/victim_candidates.h"

#include "sched/cycle_state.h"

namespace maui {

const Placement& VictimCandidates::nodes_of(const Candidate& candidate) const {
  return candidate.planned ? candidate.planned->nodes
                           : state_.cluster().job(candidate.job).placement;
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
