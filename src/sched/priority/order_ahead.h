// When time alone changes the order of jobs (guide 5.1): priorities grow at different rates, or
// differ in the fractions that are rounded off.
//
// For reservations only the first jobs in the queue matter: jobs behind them start where they fit,
// in any order.  The whole order matters where other rules depend on it, such as limits of idle
// jobs and preemption.
#pragma once
#include <cstdint>

#include "maui/cluster.h"
#include "maui/plan.h"
#include "maui/settings.h"
#include "sched/priority/fairshare_ahead.h"

namespace maui {

/// Returns the first time after `now` (the time of `plan`) and before `before` at which the order
/// of jobs differs in a way that could affect a start; kForever if there is none.  Looks at most
/// eight days ahead.  `ahead` describes the effect of active jobs on fairshare.  Sets `evaluations`
/// to how many priorities were computed for this.
Time next_order(const Cluster& cluster, const Settings& settings, const Plan& plan, Time now,
                Time before, const FairshareAhead& ahead = {}, std::int64_t* evaluations = nullptr);

/// Returns the first time after `now` at which a waiting job starts or stops being rejected for its
/// priority (REJECTNEGPRIOJOBS) if only time passes; kForever if there is none in the next hundred
/// years.
Time next_rejection(const Cluster& cluster, const Settings& settings, const Plan& plan, Time now);

}  // namespace maui
