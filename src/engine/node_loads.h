// What load that is not the scheduler's keeps from jobs (guide 12.3, appendix F:
// NODELOADPOLICY, NODEMAXLOAD, NODEUNTRACKEDLOADFACTOR,
// RESOURCEAVAILABILITYPOLICY).
//
// docs/decisions/node-loads.md says what was chosen where the guide contradicts
// itself.
#pragma once
#include <vector>

#include "engine/node_sync.h"
#include "maui/cluster.h"
#include "maui/settings.h"

namespace maui {

/// ADJUSTSTATE: over its own MAXLOAD, or at NODEMAXLOAD, a node takes no new jobs.
bool too_busy(const Node& node, const NodeParameters& policy);

/// What of a node cannot be given to jobs though none of those there, which hold `held`, has it.
Resources withheld_on(const Node& node, const Resources& held, const NodeParameters& policy);

/// What jobs on the node hold that asked for so much: where the policy is UTILIZED, what is used of
/// it, each in proportion.  A node of which no use is known is taken as asked.
std::vector<Resources> held_on(const Node& node, std::vector<Resources> asked,
                               const NodeParameters& policy);

/// Says so to the cluster, for every node.  Nodes of a resource manager that is `silent`, and those
/// that `sync` closes, take no new jobs.
void apply_loads(Cluster& cluster, const NodeParameters& policy,
                 const std::vector<std::string>& silent, const NodeSync& sync);

}  // namespace maui
