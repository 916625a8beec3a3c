// Tells which waiting jobs could ever run on this cluster, by judging each request once.
//
// While resource managers report node after node, the answers stay as they were: only look_at()
// updates them for the current nodes.  Therefore, queries in between do not pay for each change
// of a node.
//
// Judging a request whose node set is waited for without end takes long if there are many sets.
// After each look_at(), only so many of these are judged; the others count as feasible until one of
// the next: their jobs draw on the search effort of their users, and nobody else's jobs wait.
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "maui/cluster.h"
#include "maui/plan.h"

namespace maui {

class FeasibleRequests {
 public:
  /// Bases answers on the current nodes from now on.  Before the first call, and for requests
  /// without an earlier query, an answer is based on the nodes at the time of the query.
  void look_at(const Cluster& cluster) {
    node_changes_ = cluster.node_changes();
    effort_left_ = kEffort;
  }
  /// True if an empty cluster with all its nodes up could serve the request.
  bool serves(const Cluster& cluster, RequestId id);
  /// True if an empty cluster could serve the job in one of its shapes.
  bool serves(const Cluster& cluster, const Job& job);
  /// True if an empty cluster could serve the request with that number of tasks, as in another
  /// shape of a job; nullopt: that has not been judged yet.
  std::optional<bool> serves(const Cluster& cluster, RequestId id, int tasks);
  /// Removes infeasible jobs from `order` and returns them in that order.
  std::vector<JobId> leave_out(const Cluster& cluster, std::vector<Plan::Ranked>& order);

 private:
  static constexpr std::int64_t kEffort = 1'000'000;  // takes some tens of milliseconds

  /// Identifies a request, or all requests up to it, and the state of the nodes.
  struct Judged {
    std::uint64_t serial = 0, node_changes = 0;
    friend bool operator==(const Judged&, const Judged&) = default;
  };
  struct Judgement {
    Judged of;
    std::optional<bool> feasible;
    std::vector<std::pair<int, bool>> with_tasks;  // feasible with other numbers of tasks
  };
  Judgement& judgement_of(const Cluster& cluster, RequestId id);
  std::optional<bool> judge(const Cluster& cluster, const Request& request);
  std::uint64_t node_changes_ = 0;     // revision of the nodes at the last look_at()
  std::vector<Judgement> judgements_;  // by request
  std::optional<Judged> all_serve_;    // the requests up to this one are all feasible
  std::int64_t effort_left_ = kEffort;
  bool put_off_ = false;  // a request was not judged
};

}  // namespace maui
