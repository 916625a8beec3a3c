// When time alone changes what a cycle would decide, though no job begins, ends or arrives
// (SIMSTEPPOLICY EVENT).  sched/priority/order_ahead.h tells when the order of priority does.
#pragma once
#include "maui/cluster.h"
#include "maui/plan.h"
#include "maui/settings.h"

namespace maui {

/// The first such moment after `now`, which is that of `plan`, the last one; kForever: there is
/// none.  Moments at which what jobs may use changes its size count only where jobs wait for it.
Time next_change(const Cluster& cluster, const Settings& settings, const Plan& plan, Time now);

}  // namespace maui
