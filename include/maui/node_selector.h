// A site's own node allocation (NODEALLOCATIONPOLICY and TASKDISTRIBUTIONPOLICY
// LOCAL, guide 5.2.2.9).
//
// plan() hands over the nodes that would do and takes what comes back for a
// proposal: what it cannot use falls back on its own policy.  An implementation
// must give the same answer to the same question.  One that has to find it out
// first owes it: the plan is made again once it knows.
#pragma once
#include <functional>
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
  /// True if the last plan was made without an answer that it is still to have.
  virtual bool owes() const { return false; }
  /// Finds that answer out, in a bounded time and without waiting for it, and calls `done`.
  virtual void find_out(std::function<void()> done) { done(); }
};

}  // namespace maui
