// Which of the nodes that would do: the allocation policy, or the site's own program (guide 5.2).
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "maui/node_selector.h"
#include "maui/settings.h"
#include "sched/placement/node_choice.h"
#include "sched/placement/node_scores.h"

namespace maui {

/// One requirement of a job that is to have nodes from `start` on.
struct Selection {
  const Job& job;
  const Request& request;
  std::uint32_t requirement = 0;
  Time now{0}, start{0};
};

class NodeSelection {
 public:
  void begin(const Cluster& cluster, const Settings& settings);
  /// Gives the selector that chooses nodes where the policy is LOCAL; there is none until then.
  void choose_with(NodeSelector* selector) { selector_ = selector; }
  /// The site's program says how many tasks each node gets (TASKDISTRIBUTIONPOLICY LOCAL).
  bool dealt_by_program() const { return selector_ && settings_->node.local_tasks; }

  /// The free resources of a node and its company at the moment of the choice.
  using Standing = std::function<NodeStanding(NodeId)>;
  /// The tasks on the offers that the policy likes best; nothing if they do not fit.
  std::optional<Placement> choose(const Selection& wanted, NodeAllocation policy,
                                  std::vector<Offer> offers, const Standing& standing);

 private:
  void score(std::vector<Offer>& offers, NodeAllocation policy, const Standing& standing);
  std::optional<Placement> placed(const Selection& wanted, std::vector<Offer>& offers) const;
  std::optional<Placement> choose_locally(const Selection& wanted, const std::vector<Offer>& offers,
                                          bool counts) const;

  const Cluster* cluster_ = nullptr;
  const Settings* settings_ = nullptr;
  NodeSelector* selector_ = nullptr;
  std::optional<NodePriorities> priorities_;  // once somebody asks
};

}  // namespace maui
