#include "sched/availability/placement_parts.h"

#include <algorithm>

namespace maui::availability {

std::vector<NodeShare> shares_of(const PlacementParts& parts) {
  std::vector<NodeShare> shares;
  for (const auto& part : parts)
    for (auto i = part.nodes.first; i < part.nodes.end; ++i)
      shares.push_back(
          {part.downwards ? part.nodes.end - 1 - (i - part.nodes.first) : i, part.tasks});
  return shares;
}

std::vector<std::pair<int, NodeRuns>> nodes_by_tasks(const PlacementParts& parts) {
  std::vector<std::pair<int, NodeRuns>> all;
  for (const auto& part : parts) {
    auto at = std::find_if(all.begin(), all.end(),
                           [&](const auto& known) { return known.first == part.tasks; });
    if (at == all.end()) at = all.insert(at, {part.tasks, {}});
    at->second.add(part.nodes);
  }
  return all;
}

NodeRuns nodes_of(const PlacementParts& parts) {
  NodeRuns nodes;
  for (const auto& part : parts) nodes.add(part.nodes);
  return nodes;
}

}  // namespace maui::availability
