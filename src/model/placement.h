// Sums over a placement.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "maui/cluster.h"
#include "maui/job.h"
#include "maui/request.h"

namespace maui {

/// Returns the nodes of the placement, each once, in the resource manager's order.
std::vector<NodeId> nodes_of(const Placement& placement);
std::size_t node_count(const Placement& placement);
/// Returns the number of tasks of all requirements.
std::int64_t task_count(const Placement& placement);
/// Returns the partition of the first node; of no nodes, the default partition.
PartitionId partition_of(const Cluster& cluster, const Placement& placement);
/// True if all nodes of the placement are in partition_of() it.
bool in_one_partition(const Cluster& cluster, const Placement& placement);
/// Sorts by the resource manager's node order; entries of the same node keep their order.
void sort_by_node(Placement& nodes);
/// Calls visit(share) for each share of a node.  Requires that the nodes of the placement ascend,
/// as those of reservations do that are not of kind job.
template <class Visit>
void each_share_on(const Placement& ascending, NodeId node, const Visit& visit) {
  const auto parts = ascending.parts();
  auto part = std::partition_point(
      parts.begin(), parts.end(),
      [node](const Placement::Part& other) { return other.nodes.end <= node.raw(); });
  for (; part != parts.end() && part->nodes.first <= node.raw(); ++part)
    visit(NodeTasks{node, part->tasks, part->requirement});
}
/// Returns the resources that the placement takes on one node, for all requirements.
Resources amount_on(NodeId node, const Placement& placement, const Request& request);

}  // namespace maui
