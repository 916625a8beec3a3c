#include "model/placement.h"

#include <algorithm>

namespace maui {

std::vector<NodeId> nodes_of(const Placement& placement) {
  std::vector<NodeId> nodes;
  nodes.reserve(placement.size());
  for (const NodeTasks& share : placement) nodes.push_back(share.node);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

std::size_t node_count(const Placement& placement) { return nodes_of(placement).size(); }

Resources amount_on(NodeId node, const Placement& placement, const Request& request) {
  Resources amount;
  for (const NodeTasks& share : placement)
    if (share.node == node)
      amount.add(request.requirements[share.requirement].per_task, share.tasks);
  return amount;
}

}  // namespace maui
