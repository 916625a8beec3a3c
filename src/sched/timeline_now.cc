// What fits now: groups of equal open nodes, judged once each.
#include <algorithm>
#include <tuple>

#include "sched/feasibility.h"
#include "sched/need.h"
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
  Pace pace;
  friend bool same_rank(const Ranked& a, const Ranked& b) {
    return a.affinity == b.affinity && a.until == b.until && a.size == b.size && a.pace == b.pace;
  }
  friend bool operator<(const Ranked& a, const Ranked& b) {
    return std::tie(a.affinity, a.until, a.size, b.pace) <
           std::tie(b.affinity, b.until, b.size, a.pace);
  }
};

}  // namespace

std::optional<Slot> Timeline::fits_now(const Job& job, const Request& request, Seconds at_least) {
  // Not even if nothing but processors mattered.
  if (vacated_.empty() && cluster_->counts().open_procs < request.total_procs())
    return std::nullopt;
  if (!request.node_set && !request.by_speed) return fits_one_way(job, request, at_least);
  return now_by_ways(job, request,
                     [&](Time, Time) { return fits_one_way(job, request, at_least); });
}

std::optional<Slot> Timeline::fits_one_way(const Job& job, const Request& request,
                                           Seconds at_least) {
  for (const auto partition : partitions_of(request)) {
    std::optional<Placement> placement;
    if (request.requirements.size() > 1) {
      placement = place_several(job, request, partition, now_, at_least);
    } else {
      auto asked = ask(job, request);
      // Access is a matter of the job's own stay, room one of the window.
      asked.set = sets_->when(asked.set, now_, asked.duration);
      asked.duration = std::max(asked.duration, at_least);
      placement = fits_in(asked, partition);
    }
    if (placement) return Slot{now_, partition, std::move(*placement)};
  }
  if (held_.size() > 1 && at_least <= shortest(request) && interchangeable(request) &&
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
                     ask.request->host_list_use == HostListUse::none &&
                     chosen_by_kind(settings_->node_allocation) && !limits_users_ &&
                     !(selector_ && settings_->node.local_tasks);
  return plain ? fits_by_group(ask, partition, open) : fits_by_node(ask, partition, open);
}

int Timeline::tasks_in(const Group& group, const Ask& ask, Time& until) const {
  const auto terms = terms_on(cluster_->sample_of_kind(group.kind), ask);
  const Time end = now_ + ask.duration;
  int tasks = tasks_at(group.worst, 0, ask, terms);
  until = kForever;
  for (std::size_t i = 1; i < group.worst.size() && tasks > 0; ++i) {
    const int here = tasks_at(group.worst, i, ask, terms);
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
  const auto policy = settings_->node_allocation;
  const bool forwards =
      policy == NodeAllocation::first_available || policy == NodeAllocation::fastest;
  long long room = 0;
  std::vector<Ranked> ranked;
  for (std::size_t i = 0; i < open.size(); ++i) {
    const auto& group = open[i];
    if (!in_question(group, ask, partition)) continue;
    const auto sample = cluster_->sample_of_kind(group.kind);
    Time until;
    const int tasks = tasks_in(group, ask, until);
    if (tasks == 0) continue;
    room += static_cast<long long>(std::min(tasks, ask.requirement->tasks)) * group.size;
    Ranked rank{i, group.affinity, tasks, kForever, {}, {}};
    if (policy == NodeAllocation::min_resource) rank.size = configured_size(cluster_->node(sample));
    if (policy == NodeAllocation::fastest) rank.pace = pace_of(cluster_->node(sample));
    if (policy == NodeAllocation::last_available) rank.until = until;
    ranked.push_back(rank);
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

bool Timeline::in_question(const Group& group, const Ask& ask, PartitionId partition) const {
  return group.size > 0 && in_reach(*ask.request, group.partition, partition) &&
         (*ask.kinds)[group.kind];
}

std::optional<Placement> Timeline::fits_by_node(const Ask& ask, PartitionId partition, View& open) {
  std::vector<std::pair<std::size_t, Offer>> groups;
  Need need(*ask.requirement);
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (!in_question(open[i], ask, partition)) continue;
    Offer offer;
    offer.tasks = tasks_in(open[i], ask, offer.until);
    if (offer.tasks == 0) continue;
    offer.affinity = open[i].affinity;
    need.offer(offer.tasks, open[i].size);
    groups.emplace_back(i, offer);
  }
  if (!need.met()) return std::nullopt;
  std::vector<Offer> offers;
  for (auto& [i, offer] : groups) {
    const auto limits_users =
        cluster_->node(cluster_->sample_of_kind(open[i].kind)).policy.max_jobs_per_user > 0;
    for (const auto node : open[i].nodes) {
      if (open.group_of[node.index()] != i) continue;
      offers.push_back(offer);
      offers.back().node = node;
      // A group does not know how many jobs of this user each of its nodes has.
      if (limits_users) offers.back().tasks = tasks_on(node, ask, now_);
      if (offers.back().tasks == 0) offers.pop_back();
    }
  }
  return choose(ask, std::move(offers), now_);
}

}  // namespace maui
