// A site's own node allocation (NODEALLOCATIONPOLICY and TASKDISTRIBUTIONPOLICY
// LOCAL, guide 5.2.2.9).
//
// plan() hands over the nodes that would do and takes what comes back for a
// proposal: what it cannot use falls back on its own policy.  An implementation
// must answer within a bounded time, the same for the same question.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "maui/cluster.h"

namespace maui {

struct NodeQuestion {
  const Job& job;  // perhaps one that the cluster does not have: then without a name
  const Request& request;
  const Requirement& requirement;
  Time now{0}, start{0};
  std::span<const NodeTasks> candidates;  // with the most tasks that each can take
};

class NodeSelector {
 public:
  virtual ~NodeSelector() = default;
  /// Nodes in the order in which they are to be filled; `tasks` is how many each is to get, 0 as
  /// many as fit.  Nothing: there is no usable answer.
  virtual std::optional<std::vector<NodeTasks>> select(const Cluster& cluster,
                                                       const NodeQuestion& question) = 0;
};

}  // namespace maui
