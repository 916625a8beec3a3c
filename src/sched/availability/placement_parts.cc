#include "sched/availability/placement_parts.h"

namespace maui::availability {

std::vector<NodeShare> shares_of(const PlacementParts& parts) {
  std::vector<NodeShare> shares;
  for (const auto& part : parts)
    for (auto i = part.nodes.first; i < part.nodes.end; ++i)
      shares.push_back(
          {part.downwards ? part.nodes.end - 1 - (i - part.nodes.first) : i, part.tasks});
  return shares;
}

}  // namespace maui::availability
