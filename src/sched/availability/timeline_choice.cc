// Which of the nodes that would do: the allocation policy, or the site's own
// program (guide 5.2).  Which of the partitions.
#include <algorithm>

#include "sched/availability/timeline.h"
#include "sched/partition_policies.h"

namespace maui {

Timeline::Reluctance Timeline::reluctance(const Job& job, const Request& request,
                                          const Slot& slot) {
  if (!sets_->any()) return {};
  const Seconds stay = cluster_->limit_on(request, slot.placement);
  const auto set = sets_->when(sets_->of(job, request, stay), slot.start, stay);
  const auto terms = sets_->terms(set);
  if (std::all_of(terms.begin(), terms.end(),
                  [](const AccessTerms& one) { return one.affinity == Affinity::neutral; }))
    return {};
  Reluctance found;
  for (const auto& share : slot.placement) {
    const auto affinity = affinity_on(share.node, set, slot.start, stay);
    if (affinity == Affinity::negative) found.repelled += share.tasks;
    if (affinity == Affinity::neutral) found.indifferent += share.tasks;
  }
  return found;
}

// The earliest place; of several at that moment the one where affinity draws the job, else that in
// the first partition.
std::optional<Slot> Timeline::first_in_partitions(
    const Job& job, const Request& request, Time from, Time not_after,
    const std::function<std::optional<Slot>(PartitionId, Time not_after)>& in) {
  std::optional<Slot> best;
  Reluctance least;
  for (const auto partition : partitions_of(request)) {
    if (best) not_after = best->start;
    if (best && least == Reluctance{}) not_after = best->start - Seconds(1);
    if (not_after < from) break;
    auto slot = in(partition, not_after);
    if (!slot) continue;
    const auto here = reluctance(job, request, *slot);
    if (best && slot->start == best->start && !(here < least)) continue;
    best = std::move(slot);
    least = here;
  }
  return best;
}

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
  if (request.names_nodes())
    std::erase_if(offers, [&](const Offer& offer) { return !request.may_use(offer.node); });
  const auto partition = request.span || offers.empty()
                             ? PartitionId()
                             : cluster_->node(offers.front().node).partition;
  auto policy = node_allocation(*cluster_, *settings_, partition);
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
    const bool any = !wanted.shaped() && !hosts;
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
  const auto nodes = static_cast<int>(dealt.size());
  const bool few_enough = wanted.nodes == 0 || nodes <= wanted.nodes;
  const bool right = tasks == wanted.tasks && few_enough && nodes >= wanted.least_nodes;
  return right ? std::optional(std::move(dealt)) : std::nullopt;
}

}  // namespace maui
