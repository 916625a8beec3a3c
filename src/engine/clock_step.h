// The machine's clock was set.
//
// Moments are those of the clock as it stands: reservations, windows of fairshare, what a resource
// manager reports.  Intervals are not: what the step seems to add to them, or to take, is none of
// anybody's run, wait or patience.
#pragma once
#include "maui/units.h"

namespace maui {

struct EngineTools;

/// The clock was set by so much since it was asked last, forward or back: intervals stay as they
/// are.
void step_clock(const EngineTools& tools, Seconds by);
/// Notes such a step, after which limits of time may not be enforced for a while (CLOCKSTEP).
void note_clock_step(const EngineTools& tools, Seconds by);
/// True if limits of time are enforced: no step of the clock is unconfirmed.
bool enforces_limits(const EngineTools& tools);

}  // namespace maui
