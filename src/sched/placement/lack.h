// Messages about what the cluster lacks, for requests that are not feasible.
#pragma once
#include <string>

#include "maui/cluster.h"

namespace maui {

/// Says what an infeasible request asks for and the cluster lacks: "no node has network 'myrinet'",
/// "the job asks for 20 procs, of which the cluster has 16".
std::string lack_of(const Cluster& cluster, const Request& request);
/// Returns the same text as the reason of a hold (guide 11.1, No Resources).
HoldReason no_resources(const Cluster& cluster, const Request& request);

}  // namespace maui
