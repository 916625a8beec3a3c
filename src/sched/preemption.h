// Which jobs give up their nodes for others (guide 8.4).
//
// A preemptor that fits nowhere takes the nodes of preemptees whose priority is not above its own:
// as few jobs as will do, and of these the ones that lose least.  Nothing is preempted for a job
// that cannot start by it at once.
#pragma once

namespace maui {

class CycleState;

/// Starts preemptors, in order of priority, on the nodes of the jobs that they preempt.
void preempt(CycleState& state);

}  // namespace maui
