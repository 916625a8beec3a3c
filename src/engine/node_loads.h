// What load that is not the scheduler's keeps from jobs (guide 12.3, appendix F:
// NODELOADPOLICY, NODEMAXLOAD, NODEUNTRACKEDLOADFACTOR,
// RESOURCEAVAILABILITYPOLICY).
//
// docs/decisions/node-loads.md says what was chosen where the guide contradicts
// itself.
#pragma once
#include "maui/cluster.h"
#include "maui/settings.h"

namespace maui {

/// ADJUSTSTATE: over its own MAXLOAD, or at NODEMAXLOAD, a node takes no new jobs.
bool too_busy(const Node& node, const NodeParameters& policy);

/// What of a node cannot be given to jobs though none of those there, which hold `held`, has it.
Resources withheld_on(const Node& node, const Resources& held, const NodeParameters& policy);

/// Says so to the cluster, for every node.  Nodes of a resource manager that is `silent` take no
/// new jobs.
void mind_loads(Cluster& cluster, const NodeParameters& policy,
                const std::vector<std::string>& silent = {});

}  // namespace maui
