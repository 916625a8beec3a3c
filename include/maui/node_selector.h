// A site's own node allocation (NODEALLOCATIONPOLICY and TASKDISTRIBUTIONPOLICY
// LOCAL, guide 5.2.2.9).
//
// plan() passes the nodes that can serve the job and treats the answer as a
// proposal: if it is unusable, plan() applies its own policy.  An implementation
// must give equal answers to equal questions.  If it does not have an answer yet,
// it owes the answer, and the scheduler plans again once the answer is there.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "maui/cluster.h"

namespace maui {

struct NodeQuestion {
  const Job& job;  // may be hypothetical (not in the cluster): then without a name
  const Request& request;
  const Requirement& requirement;
  Time now{0}, start{0};
  std::span<const NodeTasks> candidates;  // with the most tasks that each node can take
};

class NodeSelector {
 public:
  virtual ~NodeSelector() = default;
  /// Returns nodes in the order in which to fill them, with the tasks for each (0: as many as
  /// fit), or nullopt if there is no usable answer.
  virtual std::optional<std::vector<NodeTasks>> select(const Cluster& cluster,
                                                       const NodeQuestion& question) = 0;
  /// True if the last plan had to do without an answer that is still pending.
  virtual bool owes() const { return false; }
  /// Obtains the pending answers within a bounded time, without blocking, then calls `done`.
  virtual void find_out(std::function<void()> done) { done(); }
};

}  // namespace maui
