// Which of the nodes that would do: the allocation policy, or the site's own
// program (guide 5.2).
#include <algorithm>

#include "sched/timeline.h"

namespace maui {

NodeStanding Timeline::standing(NodeId node, Time when) const {
  if (!lined(node)) {
    const auto& here = cluster_->occupancy(node);
    NodeStanding now{here.free, static_cast<int>(here.occupants.size())};
    for (const auto& occupant : here.occupants) {
      if (end_of(occupant) > when) continue;
      now.free.add(occupant.amount);
      --now.jobs;
    }
    return now;
  }
  const auto& profile = filled_line(node).profile;
  const auto level = profile.at(when);
  const auto free = profile.free(level);
  return {Resources(free[0], free[1], free[2], free[3]), profile.level(level).presence.jobs};
}

void Timeline::score(std::vector<Offer>& offers, NodeAllocation policy, Time start) {
  if (policy == NodeAllocation::cpu_load)
    for (auto& offer : offers)
      offer.score = idle_power(cluster_->node(offer.node), standing(offer.node, start));
  if (policy != NodeAllocation::machine_prio) return;
  if (!priorities_) priorities_.emplace(*cluster_, *settings_);
  for (auto& offer : offers) offer.score = priorities_->of(offer.node, standing(offer.node, start));
}

std::optional<Placement> Timeline::choose(const Ask& ask, std::vector<Offer> offers, Time start) {
  const auto& request = *ask.request;
  if (request.host_list_use == HostListUse::some_of)
    std::erase_if(offers, [&](const Offer& offer) { return !request.lists(offer.node); });
  auto policy = settings_->node_allocation;
  // Load is a matter of the moment: reservations go by what is configured.
  if (policy == NodeAllocation::cpu_load && start > now_) policy = NodeAllocation::min_resource;
  const bool hosts = request.host_list_use == HostListUse::all_of;
  std::optional<Placement> chosen;
  if (policy == NodeAllocation::local && !hosts) {
    std::sort(offers.begin(), offers.end(),
              [](const Offer& a, const Offer& b) { return a.node < b.node; });
    chosen = choose_locally(ask, offers, start, settings_->node.local_tasks);
    if (chosen) return chosen;
  }
  if (policy == NodeAllocation::max_balance && !hosts) {
    auto balanced = most_balanced(*cluster_, *ask.requirement, offers);
    chosen = place(*ask.requirement, ask.index, balanced);
  }
  if (!chosen) {
    score(offers, policy, start);
    const auto& wanted = *ask.requirement;
    // Each offer is good for a task at least: as many as there are tasks will do, where all do.
    const bool any = wanted.nodes == 0 && wanted.tasks_per_node == 0 && !hosts;
    order_offers(*cluster_, policy, offers,
                 any ? static_cast<std::size_t>(wanted.tasks) : offers.size());
    if (policy == NodeAllocation::contiguous) order_by_blocks(wanted, offers);
    chosen = placed(ask, offers);
  }
  if (!chosen || !settings_->node.local_tasks || policy == NodeAllocation::local || hosts)
    return chosen;
  std::erase_if(offers, [&](const Offer& offer) {
    return std::none_of(chosen->begin(), chosen->end(),
                        [&](const NodeTasks& share) { return share.node == offer.node; });
  });
  auto dealt = choose_locally(ask, offers, start, true);
  return dealt ? std::move(dealt) : std::move(chosen);
}

std::optional<Placement> Timeline::placed(const Ask& ask, std::vector<Offer>& offers) const {
  const auto& request = *ask.request;
  if (request.host_list_use != HostListUse::all_of)
    return place(*ask.requirement, ask.index, offers);
  // Every listed host takes a task first; what is left goes on in order, listed hosts ahead.
  std::stable_partition(offers.begin(), offers.end(),
                        [&](const Offer& offer) { return request.lists(offer.node); });
  const auto hosts = request.host_list.size();
  if (offers.size() < hosts || (hosts > 0 && !request.lists(offers[hosts - 1].node)))
    return std::nullopt;
  return place_on_hosts(*ask.requirement, ask.index, offers, hosts);
}

// What the site's program says, if it can be done.  `counts`: how many tasks each node gets is its
// to say (TASKDISTRIBUTIONPOLICY LOCAL).
std::optional<Placement> Timeline::choose_locally(const Ask& ask, const std::vector<Offer>& offers,
                                                  Time start, bool counts) const {
  if (!selector_) return std::nullopt;
  std::vector<NodeTasks> candidates;
  for (const auto& offer : offers) candidates.push_back({offer.node, offer.tasks, ask.index});
  const auto answer = selector_->select(
      *cluster_, {*ask.of, *ask.request, *ask.requirement, now_, start, candidates});
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
    if (share.tasks > 0) dealt.push_back({share.node, share.tasks, ask.index});
    tasks += share.tasks;
  }
  const auto& wanted = *ask.requirement;
  if (!counts || wanted.exact_nodes || wanted.tasks_per_node > 0 || dealt.empty())
    return place(wanted, ask.index, picked);
  const bool few_enough = wanted.nodes == 0 || static_cast<int>(dealt.size()) <= wanted.nodes;
  return tasks == wanted.tasks && few_enough ? std::optional(std::move(dealt)) : std::nullopt;
}

}  // namespace maui
