// Which waiting jobs could ever run on this cluster, worked out once for each request.
//
// While resource managers report node after node, the answers stay what they were: only look_at()
// brings them up to date with the nodes that there are.  So whoever asks in the meantime does not
// pay for each change.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "maui/cluster.h"
#include "maui/plan.h"

namespace maui {

class FeasibleRequests {
 public:
  /// From now on nodes are as they are now.  Until the first time, and for requests that nobody has
  /// asked about, they are as they are when somebody asks.
  void look_at(const Cluster& cluster) { node_changes_ = cluster.node_changes(); }
  /// Could an empty cluster with all its nodes up serve the request?
  bool serves(const Cluster& cluster, RequestId id);
  /// The same of the job in one of its shapes.
  bool serves(const Cluster& cluster, const Job& job);
  /// Takes the jobs that never can run out of `order`; returns them in that order.
  std::vector<JobId> leave_out(const Cluster& cluster, std::vector<Plan::Ranked>& order);

 private:
  /// A request, or all up to that one, on nodes as of this revision.
  struct Judged {
    std::uint64_t serial = 0, node_changes = 0;
    friend bool operator==(const Judged&, const Judged&) = default;
  };
  struct Judgement {
    Judged of;
    bool feasible = false;
  };
  std::uint64_t node_changes_ = 0;     // of the nodes that were looked at last
  std::vector<Judgement> judgements_;  // by request
  std::optional<Judged> all_serve_;    // all of these could be served
};

}  // namespace maui
