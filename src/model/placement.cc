#include "model/placement.h"

#include <algorithm>
#include <vector>

namespace maui {

std::size_t node_count(const Placement& placement) {
  std::vector<NodeId> nodes;
  nodes.reserve(placement.size());
  for (const NodeTasks& share : placement) nodes.push_back(share.node);
  std::sort(nodes.begin(), nodes.end());
  return static_cast<std::size_t>(std::unique(nodes.begin(), nodes.end()) - nodes.begin());
}

Resources amount_on(NodeId node, const Placement& placement, const Request& request) {
  Resources amount;
  for (const NodeTasks& share : placement)
    if (share.node == node)
      amount.add(request.requirements[share.requirement].per_task, share.tasks);
  return amount;
}

}  // namespace maui
