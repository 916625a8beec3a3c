// The number of its processors that a job keeps busy.
#pragma once
#include "maui/cluster.h"

namespace maui {

/// Returns how many processors a job keeps busy, according to its record or its resource manager;
/// if unknown, its dedicated processors count as used.
double utilised_procs(const Cluster& cluster, const Job& job);

/// Returns the processors that a job keeps busy as of the last report, not over its whole run.
double busy_procs(const Cluster& cluster, const Job& job);

}  // namespace maui
