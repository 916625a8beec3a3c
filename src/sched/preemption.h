// Which jobs give up their nodes for others (guide 8.4).
//
// A preemptor that fits nowhere takes the nodes of preemptees whose priority is not above its own:
// as few jobs as possible, and among equally small sets the jobs that lose least.  The scheduler
// preempts nothing for a job that could not start at once as a result.
#pragma once
#include <cstddef>
#include <functional>

namespace maui {

class CycleState;

/// Starts preemptors, in order of priority, on the nodes of the jobs that they preempt.  `in_turn`:
/// whether no job before that rank waits in vain; others start without a victim only as backfill.
void preempt(CycleState& state, const std::function<bool(std::size_t rank)>& in_turn);

}  // namespace maui
