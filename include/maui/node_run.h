// A run of neighbouring nodes.
#pragma once
#include <algorithm>
#include <cstddef>
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

/// Sorts the runs and joins those that overlap or adjoin.
inline void join_runs(std::vector<NodeRun>& runs) {
  std::sort(runs.begin(), runs.end(),
            [](const NodeRun& a, const NodeRun& b) { return a.first < b.first; });
  std::size_t last = 0;
  for (const NodeRun& run : runs) {
    if (run.first <= runs[last].end)
      runs[last].end = std::max(runs[last].end, run.end);
    else
      runs[++last] = run;
  }
  if (!runs.empty()) runs.resize(last + 1);
}

/// Calls visit(node) for each node of the runs, in order.
template <class Visit>
void each_node(const std::vector<NodeRun>& runs, Visit visit) {
  for (const NodeRun& run : runs)
    for (std::uint32_t node = run.first; node < run.end; ++node) visit(NodeId(node));
}

}  // namespace maui
