// Selects the jobs that are considered, and names the limits that keep the others out (guide 3.3,
// steps 4 and 5).
//
// The commands that show the queue use these functions, so they agree with the next cycle.
#pragma once
#include <optional>
#include <vector>

#include "sched/limits/throttling.h"
#include "sched/placement/feasible_requests.h"

namespace maui {

/// Returns the jobs that may be considered with limits at this level, highest priority first, and
/// lists in `blocked` the jobs that only a limit keeps out.  Callers should keep `feasible` from
/// call to call.
std::vector<Plan::Ranked> considered(const Cluster& cluster, const Settings& settings, Time now,
                                     Strictness level, FeasibleRequests& feasible,
                                     std::vector<Throttling::Blocked>* blocked = nullptr);

/// Returns the limit that keeps a waiting job out at this level, if any.
std::optional<Violation> limit_on(const Cluster& cluster, const Settings& settings, Time now,
                                  JobId job, Strictness level);

}  // namespace maui
