// Values that are brought up to date only for queries.
//
// Priorities of most of the queue change in every iteration, and node use changes
// with every second.  To write them into the jobs and nodes each time would cost
// more than planning, so they are written when a command queries the cluster.
#pragma once
#include "maui/units.h"

namespace maui {

struct EngineKnowledge;

void update_for_queries(EngineKnowledge& known, Time now);

}  // namespace maui
