#include "sched/placement/node_selection.h"

#include <algorithm>
#include <map>

namespace maui {
namespace {

/// True if the request names every host: then there is nothing to choose.
bool names_hosts(const Selection& wanted) {
  return wanted.request.host_list_use == HostListUse::all_of;
}

/// Drops the offers of nodes that have not been chosen.
void keep_chosen(std::vector<Offer>& offers, const Placement& chosen) {
  std::vector<NodeId> nodes;
  for (const NodeTasks& share : chosen) nodes.push_back(share.node);
  std::sort(nodes.begin(), nodes.end());
  std::erase_if(offers, [&](const Offer& offer) {
    return !std::binary_search(nodes.begin(), nodes.end(), offer.node);
  });
}

/// Returns the offers of the nodes that the site's program names, in its order; empty if it names a
/// node that is not offered, a node twice, or more tasks than a node can take.
std::optional<std::vector<Offer>> picked_offers(const std::vector<NodeTasks>& answer,
                                                const std::vector<Offer>& offers) {
  std::map<NodeId, const Offer*> left;
  for (const Offer& offer : offers) left.emplace(offer.node, &offer);
  std::vector<Offer> picked;
  for (const NodeTasks& share : answer) {
    const auto at = left.find(share.node);
    if (at == left.end() || share.tasks > at->second->tasks) return std::nullopt;
    picked.push_back(*at->second);
    left.erase(at);
  }
  return picked;
}

/// True if the tasks that the site's program sets make up the requirement.
bool serves(const Placement& dealt, const Requirement& requirement) {
  int tasks = 0;
  for (const NodeTasks& share : dealt) tasks += share.tasks;
  const auto nodes = static_cast<int>(dealt.size());
  const bool few_enough = requirement.nodes == 0 || nodes <= requirement.nodes;
  return tasks == requirement.tasks && few_enough && nodes >= requirement.least_nodes;
}

}  // namespace

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
  // Load only says something about now: later placements go by configured resources.
  if (policy == NodeAllocation::cpu_load && wanted.start > wanted.now)
    policy = NodeAllocation::min_resource;
  const bool by_program = policy == NodeAllocation::local && !names_hosts(wanted);
  if (by_program) {
    std::sort(offers.begin(), offers.end(),
              [](const Offer& a, const Offer& b) { return a.node < b.node; });
    if (auto chosen = choose_by_program(wanted, offers, settings_->node.local_tasks)) return chosen;
  }
  auto chosen = choose_by_policy(wanted, policy, offers, standing);
  if (!chosen || by_program || !dealt_by_program() || names_hosts(wanted)) return chosen;
  keep_chosen(offers, *chosen);
  auto dealt = choose_by_program(wanted, offers, true);
  return dealt ? std::move(dealt) : std::move(chosen);
}

std::optional<Placement> NodeSelection::choose_by_policy(const Selection& wanted,
                                                         NodeAllocation policy,
                                                         std::vector<Offer>& offers,
                                                         const Standing& standing) {
  const auto& requirement = wanted.request.requirements[wanted.requirement];
  const bool hosts = names_hosts(wanted);
  if (policy == NodeAllocation::max_balance && !hosts) {
    const auto balanced = most_balanced(*cluster_, requirement, offers);
    if (auto chosen = place(requirement, wanted.requirement, balanced)) return chosen;
  }
  score(offers, policy, standing);
  // Each offer takes at least one task, so as many offers as tasks suffice if any offer will do.
  const bool any = !requirement.shaped() && !hosts;
  order_offers(*cluster_, policy, offers,
               any ? static_cast<std::size_t>(requirement.tasks) : offers.size());
  if (policy == NodeAllocation::contiguous) order_by_blocks(requirement, offers);
  return placed(wanted, offers);
}

std::optional<Placement> NodeSelection::placed(const Selection& wanted,
                                               std::vector<Offer>& offers) const {
  const auto& request = wanted.request;
  const auto& requirement = request.requirements[wanted.requirement];
  if (!names_hosts(wanted)) return place(requirement, wanted.requirement, offers);
  // Every listed host takes a task first; the remaining tasks follow in order, listed hosts first.
  std::stable_partition(offers.begin(), offers.end(),
                        [&](const Offer& offer) { return request.lists(offer.node); });
  const auto hosts = request.host_list.size();
  if (offers.size() < hosts || (hosts > 0 && !request.lists(offers[hosts - 1].node)))
    return std::nullopt;
  return place_on_hosts(requirement, wanted.requirement, offers, hosts);
}

std::optional<Placement> NodeSelection::choose_by_program(const Selection& wanted,
                                                          const std::vector<Offer>& offers,
                                                          bool sets_tasks) const {
  if (!selector_) return std::nullopt;
  const auto& requirement = wanted.request.requirements[wanted.requirement];
  std::vector<NodeTasks> candidates;
  for (const auto& offer : offers)
    candidates.push_back({offer.node, offer.tasks, wanted.requirement});
  const auto answer = selector_->select(
      *cluster_, {wanted.job, wanted.request, requirement, wanted.now, wanted.start, candidates});
  if (!answer) return std::nullopt;
  const auto picked = picked_offers(*answer, offers);
  if (!picked) return std::nullopt;
  Placement dealt;
  for (const auto& share : *answer)
    if (share.tasks > 0) dealt.push_back({share.node, share.tasks, wanted.requirement});
  if (!sets_tasks || requirement.exact_nodes || requirement.tasks_per_node > 0 || dealt.empty())
    return place(requirement, wanted.requirement, *picked);
  return serves(dealt, requirement) ? std::optional(std::move(dealt)) : std::nullopt;
}

}  // namespace maui
