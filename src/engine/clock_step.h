// Adapts the engine's state when somebody sets the machine's clock.
//
// Points in time follow the clock as it now stands: reservations, fairshare windows, the times that
// a resource manager reports.  Intervals do not: the step must neither lengthen nor shorten a run
// time, a queue time or a timeout.
#pragma once
#include "maui/units.h"

namespace maui {

struct EngineTools;

/// Applies a step of the clock, forward or back, by `by` since the last call: intervals keep their
/// lengths.
void step_clock(const EngineTools& tools, Seconds by);
/// Logs such a step, after which time limits may not be enforced for a while (CLOCKSTEP).  It
/// happened at `since` at the earliest, by the clock as it now stands.
void note_clock_step(const EngineTools& tools, Seconds by, Time since);
/// Returns true if time limits are enforced, that is, if no step of the clock is unconfirmed.
bool enforces_limits(const EngineTools& tools);

}  // namespace maui
