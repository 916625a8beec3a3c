// Sums over a placement.
#pragma once
#include <cstddef>
#include <vector>

#include "maui/job.h"
#include "maui/request.h"

namespace maui {

/// Returns the nodes of the placement, each once, in the resource manager's order.
std::vector<NodeId> nodes_of(const Placement& placement);
std::size_t node_count(const Placement& placement);
/// Returns the number of tasks of all requirements.
std::int64_t task_count(const Placement& placement);
/// Sorts by the resource manager's node order; entries of the same node keep their order.
void sort_by_node(Placement& nodes);
/// Returns the resources that the placement takes on one node, for all requirements.
Resources amount_on(NodeId node, const Placement& placement, const Request& request);

}  // namespace maui
