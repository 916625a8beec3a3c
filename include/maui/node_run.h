// A run of neighbouring nodes.
#pragma once
#include <cstdint>
#include <vector>

#include "maui/units.h"

namespace maui {

/// The nodes [first, end), in the resource manager's order.
struct NodeRun {
  std::uint32_t first = 0, end = 0;
  int size() const { return static_cast<int>(end - first); }
  bool contains(NodeId node) const { return first <= node.raw() && node.raw() < end; }
  friend bool operator==(const NodeRun&, const NodeRun&) = default;
};

/// Calls visit(node) for each node of the runs, in order.
template <class Visit>
void each_node(const std::vector<NodeRun>& runs, Visit visit) {
  for (const NodeRun& run : runs)
    for (std::uint32_t node = run.first; node < run.end; ++node) visit(NodeId(node));
}

}  // namespace maui
