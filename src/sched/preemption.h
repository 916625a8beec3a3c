// Which jobs give up their nodes for others (guide 8.4).
//
// A preemptor that fits nowhere takes the nodes of preemptees whose priority is not above its own:
// as few jobs as possible, and among equally small sets the jobs that lose least.  The scheduler
// preempts nothing for a job that could not start at once as a result.
//
// Jobs that this plan has decided to start or resume are taken like active ones, and wait instead:
// otherwise they would start only to be preempted by the next plan.  The cycle is then planned
// again around the preemptors that do so (sched/settled_starts.h).
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "sched/reservations/owner_preemption.h"
#include "sched/victims.h"

namespace maui {

class CycleState;

class PreemptionStep {
 public:
  explicit PreemptionStep(CycleState& state);

  /// Lets a job that cannot start otherwise preempt others in its turn; false: it goes on waiting.
  bool serve(std::size_t rank);
  /// Starts preemptors that are left, in order of priority, on the nodes of the jobs that they
  /// preempt.  `in_turn`: whether no job before that rank waits in vain; others start without a
  /// victim only as backfill.  `again` serves the jobs that are reopened().
  void serve_others(const std::function<bool(std::size_t rank)>& in_turn,
                    const std::function<void()>& again);
  /// Where starts of this plan have brought jobs to their limits, others head the queue now: lets
  /// these take what the plan has started (BACKFILLPOLICY PREEMPT).  Called after backfill.
  void serve_new_heads();
  /// Called when the plan starts no more jobs.  Lets preemptors that still wait take what the plan
  /// has started since their turn, and takes back starts that the jobs which leave would preempt:
  /// otherwise the next plan would preempt these jobs.
  void settle();
  /// Returns the ranks of the jobs whose turn it is again: since the last call, their start has
  /// been taken back, or victims have left the limits that held them back.
  std::vector<std::size_t> reopened();

 private:
  /// Returns the kinds of victim that the job may take now; 0: none.
  unsigned victim_kinds(std::size_t rank, bool head) const;
  bool start(std::size_t rank, unsigned victim_kinds, Victims::Without without);
  /// Requires that the preemptor at that rank is out of its turn.  Backfills jobs above it that it
  /// could not take once they ran, if it would take idle nodes from them.
  void serve_those_above(std::size_t rank, unsigned victim_kinds);
  /// A job that could not preempt others, with the arguments of start().
  struct Waiting {
    std::size_t rank;
    unsigned victim_kinds;
    Victims::Without without;
  };
  /// True if the job fits now, in one of its shapes.
  bool fits(std::size_t rank);
  /// Lets these jobs take the nodes of the job that has started last, or those that its victims
  /// have left and it does not need, and removes them if they do.
  void retry(std::vector<Waiting>& waiting, const std::function<void()>& again);
  /// Lets each job that waits take jobs that the plan starts or resumes; true if some did.
  bool serve_rest();
  /// After backfill: lets each job that waits, and for which `may` is true, start on the nodes of
  /// victims; true if some did.  The jobs that wait instead have had their turn.
  bool serve_waiting(
      Victims::Without without,
      const std::function<bool(std::size_t rank, unsigned victim_kinds, bool head)>& may);
  Victims& victims();

  CycleState& state_;
  OwnedReservations owned_;
  bool any_;
  std::set<std::size_t> returned_;  // ranks of jobs whose start has been taken back
  std::optional<Victims> victims_;  // made when it is needed
};

}  // namespace maui
