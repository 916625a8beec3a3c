// Which jobs are considered, and which limit keeps the others out (guide 3.3, steps 4 and 5).
//
// The commands that show the queue ask here, so that they say what the next cycle would do.
#pragma once
#include <optional>
#include <vector>

#include "sched/limits/throttling.h"
#include "sched/placement/feasible_requests.h"

namespace maui {

/// The jobs that may be considered with limits at this level, highest priority first; those that
/// only a limit keeps out are listed in `blocked`.  `feasible` is best kept from one question to
/// the next.
std::vector<Plan::Ranked> considered(const Cluster& cluster, const Settings& settings, Time now,
                                     Strictness level, FeasibleRequests& feasible,
                                     std::vector<Throttling::Blocked>* blocked = nullptr);

/// The limit that keeps a waiting job out at this level, if one does.
std::optional<Violation> limit_on(const Cluster& cluster, const Settings& settings, Time now,
                                  JobId job, Strictness level);

}  // namespace maui
