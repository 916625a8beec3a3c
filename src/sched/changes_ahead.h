// When time alone changes what a cycle would decide, although no job starts, ends or arrives
// (SIMSTEPPOLICY EVENT).  sched/priority/order_ahead.h covers the priority order.
#pragma once
#include "maui/cluster.h"
#include "maui/plan.h"
#include "maui/settings.h"

namespace maui {

/// Returns the first such time after `now`, the time of the last plan, `plan`; kForever if there is
/// none.  A time at which available resources grow or shrink counts only if jobs wait for them.
Time next_change(const Cluster& cluster, const Settings& settings, const Plan& plan, Time now);

}  // namespace maui
