// One scheduling cycle (paper, section 3; guide 3.3).
//
// Pure: the same cluster, settings and time give the same plan, on every
// machine.  Nothing is read but the arguments and nothing is changed.
#pragma once
#include "maui/cluster.h"
#include "maui/plan.h"
#include "maui/settings.h"

namespace maui {

Plan plan(const Cluster& cluster, const Settings& settings, Time now);

}  // namespace maui
