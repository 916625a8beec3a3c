// The nodes on which something has changed since the last call.
#pragma once
#include <cstdint>
#include <vector>

#include "maui/cluster.h"

namespace maui {

struct Touched {
  bool all = false;               // any node may have changed: details are unknown
  std::vector<NodeRun> reported;  // changed themselves, or in what load withholds
  std::vector<NodeRun> used;      // jobs have arrived, left, or changed state
};

class TouchedNodes {
 public:
  /// Returns all nodes at the first call.
  Touched take(const Cluster& cluster);

 private:
  bool begun_ = false;
  std::uint64_t nodes_read_ = 0, jobs_read_ = 0, room_read_ = 0;
};

}  // namespace maui
