// What a victim does once it waits in the queue again: the jobs that the next plan could preempt
// for it (guide 8.4).
#pragma once
#include "maui/job.h"
#include "maui/request.h"
#include "maui/units.h"
#include "sched/availability/slot.h"
#include "sched/victim_candidates.h"

namespace maui {

class CycleState;

class RequeuedVictims {
 public:
  using Chosen = VictimCandidates::Chosen;

  RequeuedVictims(CycleState& state, VictimCandidates& candidates)
      : state_(state), candidates_(candidates) {}

  /// Returns the candidates that this one may take once it waits and `preemptor` runs.
  Chosen takable(std::size_t candidate, JobId preemptor);
  /// Requires that the victim is laid off and the job fits there.  True if the victim, a preemptor
  /// that waits then, could start only on the nodes of other candidates.
  bool would_take_others(std::size_t victim, const Job& job, const Request& request,
                         const Slot& slot);

 private:
  /// Returns the kinds of victim that the candidate may take then.
  unsigned takes(std::size_t candidate, JobId preemptor);
  /// True if it is then among the first jobs of the queue, which may preempt backfilled jobs
  /// (BACKFILLPOLICY PREEMPT).
  bool heads_the_queue(std::size_t candidate, JobId preemptor);
  /// True if it may then take that other candidate by its priority.
  bool would_be_above(std::size_t victim, std::size_t other);
  /// Returns the start of the queue time that the active job has then.
  Time queued(const Job& job) const;

  CycleState& state_;
  VictimCandidates& candidates_;
};

}  // namespace maui
