// The nodes on which something has changed since it was asked last.
#pragma once
#include <cstdint>
#include <vector>

#include "maui/cluster.h"

namespace maui {

struct Touched {
  bool all = false;               // any may have changed: nothing else is known
  std::vector<NodeRun> reported;  // themselves, or what load keeps from jobs there
  std::vector<NodeRun> used;      // jobs have come, left, or are in another state
};

class TouchedNodes {
 public:
  /// The first time, all.
  Touched take(const Cluster& cluster);

 private:
  bool begun_ = false;
  std::uint64_t nodes_read_ = 0, jobs_read_ = 0, room_read_ = 0;
};

}  // namespace maui
