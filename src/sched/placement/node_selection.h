// Chooses among suitable nodes, by the allocation policy or the site's own program (guide 5.2).
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "maui/node_selector.h"
#include "maui/settings.h"
#include "sched/placement/node_choice.h"
#include "sched/placement/node_scores.h"

namespace maui {

/// One requirement of a job that needs nodes from `start` on.
struct Selection {
  const Job& job;
  const Request& request;
  std::uint32_t requirement = 0;
  Time now{0}, start{0};
};

class NodeSelection {
 public:
  void begin(const Cluster& cluster, const Settings& settings);
  /// Sets the selector that chooses nodes where the policy is LOCAL; there is none by default.
  void choose_with(NodeSelector* selector) { selector_ = selector; }
  /// True if the site's program sets the tasks of each node (TASKDISTRIBUTIONPOLICY LOCAL).
  bool dealt_by_program() const { return selector_ && settings_->node.local_tasks; }

  /// Returns the free resources of a node and its jobs when nodes are chosen.
  using Standing = std::function<NodeStanding(NodeId)>;
  /// Returns the placement that the policy prefers; empty if the tasks do not fit on the offers.
  std::optional<Placement> choose(const Selection& wanted, NodeAllocation policy,
                                  std::vector<Offer> offers, const Standing& standing);

 private:
  void score(std::vector<Offer>& offers, NodeAllocation policy, const Standing& standing);
  std::optional<Placement> choose_by_policy(const Selection& wanted, NodeAllocation policy,
                                            std::vector<Offer>& offers, const Standing& standing);
  std::optional<Placement> placed(const Selection& wanted, std::vector<Offer>& offers) const;
  /// Returns the placement of the site's program if it is possible.  `sets_tasks`: the program also
  /// sets the number of tasks on each node (TASKDISTRIBUTIONPOLICY LOCAL).
  std::optional<Placement> choose_by_program(const Selection& wanted,
                                             const std::vector<Offer>& offers,
                                             bool sets_tasks) const;

  const Cluster* cluster_ = nullptr;
  const Settings* settings_ = nullptr;
  NodeSelector* selector_ = nullptr;
  std::optional<NodePriorities> priorities_;  // made on first use
};

}  // namespace maui
