// Resources that load other than the scheduler's keeps from jobs (guide 12.3, appendix F:
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

/// Resources of a node that cannot be given to jobs although the jobs there hold only `held`.
Resources withheld_on(const Node& node, const Resources& held, const NodeParameters& policy);

/// The resources that jobs on the node hold which asked for `asked`: where the policy is UTILIZED,
/// those in use, shared out in proportion.  Where no use is known, as asked.
std::vector<Resources> held_on(const Node& node, std::vector<Resources> asked,
                               const NodeParameters& policy);

/// Says so to the cluster, for every node.  Nodes of a resource manager that is `silent`, and those
/// that `sync` closes, take no new jobs.
void apply_loads(Cluster& cluster, const NodeParameters& policy,
                 const std::vector<std::string>& silent, const NodeSync& sync);

}  // namespace maui
