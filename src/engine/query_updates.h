// Values that are not kept up to date while nobody looks.
//
// Priorities change for most of the queue in every iteration, and node use with
// every second.  Writing them into the jobs and nodes each time would cost more
// than planning; so they are written when a command looks at the cluster.
#pragma once
#include "maui/units.h"

namespace maui {

struct EngineKnowledge;

void update_for_queries(EngineKnowledge& known, Time now);

}  // namespace maui
