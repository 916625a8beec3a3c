// A placement as runs of nodes with equally many tasks: what thousands of equal nodes cost as
// little as one.  Lists of nodes are made only at the edge.
#pragma once
#include <vector>

#include "sched/availability/node_runs.h"

namespace maui::availability {

struct PlacementPart {
  NodeRun nodes;
  int tasks = 0;           // on each of them
  bool downwards = false;  // the last node was chosen first
  friend bool operator==(const PlacementPart&, const PlacementPart&) = default;
};
/// In the order of choice.
using PlacementParts = std::vector<PlacementPart>;

struct NodeShare {
  std::uint32_t node = 0;
  int tasks = 0;
  friend bool operator==(const NodeShare&, const NodeShare&) = default;
};
/// Node by node, in the order of choice.
std::vector<NodeShare> shares_of(const PlacementParts& parts);

}  // namespace maui::availability
