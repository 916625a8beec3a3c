// When the order of jobs changes by time alone (guide 5.1): priorities grow at different rates, or
// with different parts of a point, which are rounded off.
//
// Only the first jobs in the queue matter, as far as reservations go: jobs behind these
// start where they fit, whatever their order.  All of the order matters where it is looked at in
// other ways, such as by limits of idle jobs and by preemption.
#pragma once
#include "maui/cluster.h"
#include "maui/plan.h"
#include "maui/settings.h"
#include "sched/priority/fairshare_ahead.h"

namespace maui {

/// The first moment after `now`, which is that of `plan`, and before `before`, at which the order
/// of jobs is another one and that could bear on a start; kForever: there is none.  It looks no
/// more than eight days ahead.  `ahead` says what active jobs do to fairshare.
Time next_order(const Cluster& cluster, const Settings& settings, const Plan& plan, Time now,
                Time before, const FairshareAhead& ahead = {});

/// The first moment after `now` at which a waiting job begins or ceases to be rejected for its
/// priority (REJECTNEGPRIOJOBS), if nothing happens but that time goes on; kForever: there is none
/// in the next hundred years.
Time next_rejection(const Cluster& cluster, const Settings& settings, const Plan& plan, Time now);

}  // namespace maui
