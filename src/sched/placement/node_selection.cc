#include "sched/placement/node_selection.h"

#include <algorithm>

namespace maui {

void NodeSelection::begin(const Cluster& cluster, const Settings& settings) {
  cluster_ = &cluster;
  settings_ = &settings;
  priorities_.reset();
}

void NodeSelection::score(std::vector<Offer>& offers, NodeAllocation policy,
                          const Standing& standing) {
  if (policy == NodeAllocation::cpu_load)
    for (auto& offer : offers)
      offer.score = idle_power(cluster_->node(offer.node), standing(offer.node));
  if (policy != NodeAllocation::machine_prio) return;
  if (!priorities_) priorities_.emplace(*cluster_, *settings_);
  for (auto& offer : offers) offer.score = priorities_->of(offer.node, standing(offer.node));
}

std::optional<Placement> NodeSelection::choose(const Selection& wanted, NodeAllocation policy,
                                               std::vector<Offer> offers,
                                               const Standing& standing) {
  const auto& request = wanted.request;
  const auto& requirement = request.requirements[wanted.requirement];
  // Load only says something about now: later placements go by configured resources.
  if (policy == NodeAllocation::cpu_load && wanted.start > wanted.now)
    policy = NodeAllocation::min_resource;
  const bool hosts = request.host_list_use == HostListUse::all_of;
  std::optional<Placement> chosen;
  if (policy == NodeAllocation::local && !hosts) {
    std::sort(offers.begin(), offers.end(),
              [](const Offer& a, const Offer& b) { return a.node < b.node; });
    chosen = choose_locally(wanted, offers, settings_->node.local_tasks);
    if (chosen) return chosen;
  }
  if (policy == NodeAllocation::max_balance && !hosts) {
    auto balanced = most_balanced(*cluster_, requirement, offers);
    chosen = place(requirement, wanted.requirement, balanced);
  }
  if (!chosen) {
    score(offers, policy, standing);
    // Each offer takes at least one task, so as many offers as tasks suffice if any offer will do.
    const bool any = !requirement.shaped() && !hosts;
    order_offers(*cluster_, policy, offers,
                 any ? static_cast<std::size_t>(requirement.tasks) : offers.size());
    if (policy == NodeAllocation::contiguous) order_by_blocks(requirement, offers);
    chosen = placed(wanted, offers);
  }
  if (!chosen || !settings_->node.local_tasks || policy == NodeAllocation::local || hosts)
    return chosen;
  std::erase_if(offers, [&](const Offer& offer) {
    return std::none_of(chosen->begin(), chosen->end(),
                        [&](const NodeTasks& share) { return share.node == offer.node; });
  });
  auto dealt = choose_locally(wanted, offers, true);
  return dealt ? std::move(dealt) : std::move(chosen);
}

std::optional<Placement> NodeSelection::placed(const Selection& wanted,
                                               std::vector<Offer>& offers) const {
  const auto& request = wanted.request;
  const auto& requirement = request.requirements[wanted.requirement];
  if (request.host_list_use != HostListUse::all_of)
    return place(requirement, wanted.requirement, offers);
  // Every listed host takes a task first; the remaining tasks follow in order, listed hosts first.
  std::stable_partition(offers.begin(), offers.end(),
                        [&](const Offer& offer) { return request.lists(offer.node); });
  const auto hosts = request.host_list.size();
  if (offers.size() < hosts || (hosts > 0 && !request.lists(offers[hosts - 1].node)))
    return std::nullopt;
  return place_on_hosts(requirement, wanted.requirement, offers, hosts);
}

// Returns the placement of the site's program if it is possible.  `counts`: the program also sets
// the number of tasks on each node (TASKDISTRIBUTIONPOLICY LOCAL).
std::optional<Placement> NodeSelection::choose_locally(const Selection& wanted,
                                                       const std::vector<Offer>& offers,
                                                       bool counts) const {
  if (!selector_) return std::nullopt;
  const auto& requirement = wanted.request.requirements[wanted.requirement];
  std::vector<NodeTasks> candidates;
  for (const auto& offer : offers)
    candidates.push_back({offer.node, offer.tasks, wanted.requirement});
  const auto answer = selector_->select(
      *cluster_, {wanted.job, wanted.request, requirement, wanted.now, wanted.start, candidates});
  if (!answer) return std::nullopt;
  std::vector<Offer> picked;
  Placement dealt;
  int tasks = 0;
  for (const auto& share : *answer) {
    const auto at = std::find_if(offers.begin(), offers.end(),
                                 [&](const Offer& offer) { return offer.node == share.node; });
    const bool twice = std::any_of(picked.begin(), picked.end(),
                                   [&](const Offer& offer) { return offer.node == share.node; });
    if (at == offers.end() || twice || share.tasks > at->tasks) return std::nullopt;
    picked.push_back(*at);
    if (share.tasks > 0) dealt.push_back({share.node, share.tasks, wanted.requirement});
    tasks += share.tasks;
  }
  if (!counts || requirement.exact_nodes || requirement.tasks_per_node > 0 || dealt.empty())
    return place(requirement, wanted.requirement, picked);
  const auto nodes = static_cast<int>(dealt.size());
  const bool few_enough = requirement.nodes == 0 || nodes <= requirement.nodes;
  const bool right = tasks == requirement.tasks && few_enough && nodes >= requirement.least_nodes;
  return right ? std::optional(std::move(dealt)) : std::nullopt;
}

}  // namespace maui
