// What fits now: groups of equal open nodes, judged once each.
#include <algorithm>

#include "sched/feasibility.h"
#include "sched/timeline.h"

namespace maui {
namespace {

// The nodes of several groups as one sequence in node order, forwards or backwards.
class Merged {
 public:
  explicit Merged(bool backwards) : backwards_(backwards) {}

  void add(const std::vector<NodeId>& nodes, std::size_t group) {
    if (nodes.empty()) return;
    parts_.push_back({at(nodes, 0), 0, &nodes, group});
    std::push_heap(parts_.begin(), parts_.end(), Later{backwards_});
  }
  bool empty() const { return parts_.empty(); }
  /// The next node, and the group that it is of.
  std::pair<NodeId, std::size_t> pop() {
    if (!ahead_) {
      std::pop_heap(parts_.begin(), parts_.end(), Later{backwards_});
      ahead_ = true;
    }
    auto& best = parts_.back();
    const std::pair result(best.node, best.group);
    if (++best.walked == best.nodes->size()) {
      parts_.pop_back();
      ahead_ = false;
      return result;
    }
    best.node = at(*best.nodes, best.walked);
    // Runs of nodes of one group are long: only at their end is the order looked at again.
    if (parts_.size() > 1 && Later{backwards_}(best, parts_.front())) {
      std::push_heap(parts_.begin(), parts_.end(), Later{backwards_});
      ahead_ = false;
    }
    return result;
  }

 private:
  struct Part {
    NodeId node;  // the next one
    std::size_t walked;
    const std::vector<NodeId>* nodes;
    std::size_t group;
  };
  struct Later {
    bool backwards;
    bool operator()(const Part& a, const Part& b) const {
      return backwards ? a.node < b.node : b.node < a.node;
    }
  };
  NodeId at(const std::vector<NodeId>& nodes, std::size_t walked) const {
    return nodes[backwards_ ? nodes.size() - 1 - walked : walked];
  }

  bool backwards_;
  bool ahead_ = false;  // the last part is the one to go on with; the others are a heap
  std::vector<Part> parts_;
};

// A group in the order of the allocation policy: groups of equal rank are walked together.
struct Ranked {
  std::size_t group;
  Affinity affinity;
  int tasks;
  Time until;
  ConfiguredSize size;
  friend bool same_rank(const Ranked& a, const Ranked& b) {
    return a.affinity == b.affinity && a.until == b.until && a.size == b.size;
  }
  friend bool operator<(const Ranked& a, const Ranked& b) {
    if (a.affinity != b.affinity) return a.affinity < b.affinity;
    return a.until != b.until ? a.until < b.until : a.size < b.size;
  }
};

}  // namespace

std::optional<Slot> Timeline::fits_now(const Job& job, const Request& request, Seconds at_least) {
  // Not even if nothing but processors mattered.
  if (vacated_.empty() && cluster_->counts().open_procs < request.total_procs())
    return std::nullopt;
  for (const auto partition : partitions_of(request)) {
    std::optional<Placement> placement;
    if (request.requirements.size() > 1) {
      placement = place_several(job, request, partition, now_, at_least);
    } else {
      auto asked = ask(job, request);
      asked.duration = std::max(request.limit, at_least);
      placement = fits_in(asked, partition);
    }
    if (placement) return Slot{now_, partition, std::move(*placement)};
  }
  if (held_.size() > 1 && at_least <= request.limit && interchangeable(request) &&
      first_by_count(request, now_, now_))
    if (auto placement = rearrange(job, request, now_))
      return Slot{now_, PartitionId(0U), std::move(*placement)};
  return std::nullopt;
}

std::optional<Placement> Timeline::fits_in(const Ask& ask, PartitionId partition) {
  auto& open = view(ask.set);
  const auto& wanted = *ask.requirement;
  if (open.free_procs < static_cast<long long>(wanted.per_task.procs()) * wanted.tasks)
    return std::nullopt;
  const bool plain = wanted.nodes == 0 && wanted.tasks_per_node == 0 &&
                     ask.request->host_list_use == HostListUse::none;
  return plain ? fits_by_group(ask, partition, open) : fits_by_node(ask, partition, open);
}

int Timeline::tasks_in(const Group& group, const Ask& ask, Time& until) const {
  const auto access = access_on(cluster_->sample_of_kind(group.kind), ask);
  const Time end = now_ + ask.duration;
  int tasks = tasks_at(group.worst, 0, ask, access);
  until = kForever;
  for (std::size_t i = 1; i < group.worst.size() && tasks > 0; ++i) {
    const int here = tasks_at(group.worst, i, ask, access);
    if (group.worst.level(i).from < end) {
      tasks = here;
    } else if (here < tasks) {
      until = group.worst.level(i).from;
      break;
    }
  }
  return tasks;
}

std::optional<Placement> Timeline::fits_by_group(const Ask& ask, PartitionId partition,
                                                 View& open) {
  const auto& kinds = *ask.kinds;
  const auto policy = settings_->node_allocation;
  const bool forwards = policy == NodeAllocation::first_available;
  long long room = 0;
  std::vector<Ranked> ranked;
  for (std::size_t i = 0; i < open.size(); ++i) {
    const auto& group = open[i];
    if (group.size == 0 || !in_reach(*ask.request, group.partition, partition) ||
        !kinds[group.kind])
      continue;
    const auto sample = cluster_->sample_of_kind(group.kind);
    Time until;
    const int tasks = tasks_in(group, ask, until);
    if (tasks == 0) continue;
    room += static_cast<long long>(std::min(tasks, ask.requirement->tasks)) * group.size;
    ConfiguredSize size{};
    if (policy == NodeAllocation::min_resource) size = configured_size(cluster_->node(sample));
    const bool in_time = !forwards && policy != NodeAllocation::min_resource;
    ranked.push_back({i, group.affinity, tasks, in_time ? until : kForever, size});
  }
  int left = ask.requirement->tasks;
  if (room < left) return std::nullopt;
  std::sort(ranked.begin(), ranked.end());
  Placement placement;
  for (std::size_t first = 0; left > 0 && first < ranked.size();) {
    Merged nodes(!forwards);
    std::size_t last = first;
    for (; last < ranked.size() && same_rank(ranked[first], ranked[last]); ++last)
      nodes.add(open[ranked[last].group].nodes, last);
    while (left > 0 && !nodes.empty()) {
      const auto [node, rank] = nodes.pop();
      if (open.group_of[node.index()] != ranked[rank].group) continue;  // it has moved on
      const int share = std::min(left, ranked[rank].tasks);
      placement.push_back({node, share, ask.index});
      left -= share;
    }
    first = last;
  }
  return placement;
}

std::optional<Placement> Timeline::fits_by_node(const Ask& ask, PartitionId partition, View& open) {
  const auto& kinds = *ask.kinds;
  std::vector<Offer> offers;
  for (std::size_t i = 0; i < open.size(); ++i) {
    const auto& group = open[i];
    if (group.size == 0 || !in_reach(*ask.request, group.partition, partition) ||
        !kinds[group.kind])
      continue;
    Offer offer;
    offer.tasks = tasks_in(group, ask, offer.until);
    offer.affinity = group.affinity;
    if (offer.tasks == 0) continue;
    for (const auto node : group.nodes) {
      offer.node = node;
      if (open.group_of[node.index()] == i) offers.push_back(offer);
    }
  }
  return choose(ask, std::move(offers));
}

std::optional<Placement> Timeline::choose(const Ask& ask, std::vector<Offer> offers) const {
  const auto& request = *ask.request;
  if (request.host_list_use == HostListUse::some_of)
    std::erase_if(offers, [&](const Offer& offer) { return !request.lists(offer.node); });
  // Each offer is good for a task at least: as many as there are tasks will do, where all do.
  const auto& wanted = *ask.requirement;
  const bool any = wanted.nodes == 0 && wanted.tasks_per_node == 0 &&
                   request.host_list_use != HostListUse::all_of;
  order_offers(*cluster_, settings_->node_allocation, offers,
               any ? static_cast<std::size_t>(wanted.tasks) : offers.size());
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

}  // namespace maui
