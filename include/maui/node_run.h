// Neighbouring nodes.
#pragma once
#include <cstdint>

namespace maui {

/// The nodes [first, end), in the resource manager's order.
struct NodeRun {
  std::uint32_t first = 0, end = 0;
  int size() const { return static_cast<int>(end - first); }
  friend bool operator==(const NodeRun&, const NodeRun&) = default;
};

}  // namespace maui
