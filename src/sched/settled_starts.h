// Starts that are certain before a cycle is planned, since an attempt to plan it has found them
// (guide 8.4).
//
// A preemptor may take a job that the same attempt has started before its turn.  Whatever was
// planned between these two was planned around the wrong job: reservations, backfill, limits.  So
// the cycle is planned again from the beginning, around the start of the preemptor.
#pragma once
#include <vector>

#include "sched/foreknown.h"

namespace maui {

class CycleState;

/// Decides on these starts, before all others; passes over those that have no room.  The displaced
/// jobs lose their kept reservations: they are served in their turn.
void commit_settled(CycleState& state, const std::vector<SettledStart>& settled);

/// Notes that the preemptor takes a job that the plan has started or resumed.
void note_displaced(CycleState& state, JobId preemptor, JobId displaced);

/// Returns the starts that the next attempt is to begin with.  Empty: this attempt has found none
/// beyond `begun`, those that it began with.
std::vector<SettledStart> settled_starts(CycleState& state, const std::vector<SettledStart>& begun);

}  // namespace maui
