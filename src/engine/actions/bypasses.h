// How often waiting jobs are bypassed by backfill (guide 5.1.2.4.3).
#pragma once
#include "maui/cluster.h"
#include "maui/plan.h"

namespace maui {

/// Counts those of a plan that was carried out: each job that backfill started bypassed every job
/// that stood before it and still waits.
void count_bypasses(const Plan& plan, Cluster& cluster);

}  // namespace maui
