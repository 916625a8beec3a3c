// Counts how often backfill has bypassed waiting jobs (guide 5.1.2.4.3).
#pragma once
#include "maui/cluster.h"
#include "maui/plan.h"

namespace maui {

/// Counts the bypasses of a plan that was carried out: each job that backfill started bypassed each
/// job that is before it in the order and still waits.
void count_bypasses(const Plan& plan, Cluster& cluster);

}  // namespace maui
