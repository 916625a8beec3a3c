// Sums over a placement.
#pragma once
#include <cstddef>
#include <vector>

#include "maui/job.h"
#include "maui/request.h"

namespace maui {

/// The nodes that it stands on, each once, in the resource manager's order.
std::vector<NodeId> nodes_of(const Placement& placement);
std::size_t node_count(const Placement& placement);
/// The tasks of all requirements together.
std::int64_t task_count(const Placement& placement);
/// Puts them in the resource manager's order; the entries of one node stay in their order.
void sort_by_node(Placement& nodes);
/// The resources that it takes of one node, for all of its requirements together.
Resources amount_on(NodeId node, const Placement& placement, const Request& request);

}  // namespace maui
