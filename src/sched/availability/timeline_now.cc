// What fits now: groups of equal open nodes, judged once each.
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "sched/availability/timeline.h"
#include "sched/partition_policies.h"
#include "sched/placement/feasibility.h"
#include "sched/placement/requirement_fit.h"

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

// What the allocation policy goes by; groups of equal rank are walked together.
struct Rank {
  Affinity affinity;
  Time until;
  ConfiguredSize size;
  Pace pace;
  friend bool operator<(const Rank& a, const Rank& b) {
    return std::tie(a.affinity, a.until, a.size, b.pace) <
           std::tie(b.affinity, b.until, b.size, a.pace);
  }
};

struct Choice {
  const OpenView* view;
  std::uint32_t group;
  int tasks;
};

// The groups of the first ranks that have room for so many tasks together.
class FirstRanks {
 public:
  explicit FirstRanks(int tasks) : tasks_(std::max(1, tasks)) {}

  void add(const Rank& rank, const Choice& choice, long long room) {
    if (room_ >= tasks_ && ranks_.rbegin()->first < rank) return;
    auto& here = ranks_[rank];
    here.room += room;
    here.choices.push_back(choice);
    room_ += room;
    while (room_ - ranks_.rbegin()->second.room >= tasks_) {
      room_ -= ranks_.rbegin()->second.room;
      ranks_.erase(std::prev(ranks_.end()));
    }
  }
  bool enough() const { return room_ >= tasks_; }
  struct Choices {
    long long room = 0;
    std::vector<Choice> choices;
  };
  const std::map<Rank, Choices>& ranks() const { return ranks_; }

 private:
  int tasks_;
  long long room_ = 0;
  std::map<Rank, Choices> ranks_;
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
  auto slot = first_in_partitions(job, request, now_, now_,
                                  [&](PartitionId partition, Time) -> std::optional<Slot> {
                                    auto placement = now_in(job, request, partition, at_least);
                                    if (!placement) return std::nullopt;
                                    return Slot{now_, partition, std::move(*placement)};
                                  });
  if (slot) return slot;
  if (held_.size() > 1 && at_least <= shortest(request) && interchangeable(request) &&
      first_by_count(request, now_, now_))
    if (auto placement = rearrange(job, request, now_))
      return Slot{now_, PartitionId(0U), std::move(*placement)};
  return std::nullopt;
}

std::optional<Placement> Timeline::now_in(const Job& job, const Request& request,
                                          PartitionId partition, Seconds at_least) {
  if (request.requirements.size() > 1)
    return place_several(job, request, partition, now_, at_least);
  auto asked = ask(job, request);
  // Access is a matter of the job's own stay, room one of the window.
  asked.set = sets_->when(asked.set, now_, asked.duration);
  asked.duration = std::max(asked.duration, at_least);
  return fits_in(asked, partition);
}

// --- what is known already ------------------------------------------------------

RoomBounds* Timeline::bounds(OpenView& open, const Ask& ask, PartitionId partition) {
  if (ask.question == 0) return nullptr;
  bounds_noted_ = true;
  return &open.bounds(bounds_key(ask.question, partition));
}

// There is more room than before.
void Timeline::forget_bounds() {
  if (!std::exchange(bounds_noted_, false)) return;
  for (std::size_t i = 0; i < views_used_; ++i) views_[i].forget_bounds();
}

bool Timeline::known_too_small(OpenView& open, const Ask& ask, PartitionId partition) {
  auto* known = bounds(open, ask, partition);
  const int wanted = ask.requirement->tasks;
  if (!known) return false;
  if (known->most(ask.duration) < wanted) return true;
  if (open.whole()) return false;
  // What the base is known to have, and the view's own nodes.
  long long room = bounds(views_.front(), ask, partition)->most(ask.duration);
  if (room >= wanted) return false;
  begin_question();
  for (const auto& group : open.groups()) {
    Time until;
    room += static_cast<long long>(tasks_in(open, group, ask, partition, until)) * group.size;
  }
  if (room >= wanted) return false;
  known->note(ask.duration, room);
  return true;
}

void Timeline::note_room(OpenView& open, const Ask& ask, PartitionId partition,
                         const Found& found) {
  auto* known = bounds(open, ask, partition);
  if (!known) return;
  known->note(ask.duration, found.room);
  if (!open.whole()) bounds(views_.front(), ask, partition)->note(ask.duration, found.in_base);
}

// --- groups ---------------------------------------------------------------------

template <class Visit>
void Timeline::each_group(OpenView& open, Visit visit) {
  begin_question();
  for (const auto& group : open.groups()) visit(open, group, group.size);
  if (open.whole()) return;
  auto& base = views_.front();
  hidden_.assign(base.group_count(), 0);
  for (const auto node : open.claimed())
    if (const auto* group = base.group_of(node)) ++hidden_[group->group];
  for (const auto& group : base.groups()) visit(base, group, group.size - hidden_[group.group]);
}

int Timeline::tasks_in(OpenView& open, const OpenView::Summary& group, const Ask& ask,
                       PartitionId partition, Time& until) {
  until = kForever;
  auto& beginning = open.beginning(group.beginning);
  const auto terms = [&] { return terms_on(cluster_->sample_of_kind(beginning.kind), ask); };
  if (beginning.asked != questions_begun_) {
    const bool serves =
        in_reach(*ask.request, beginning.partition, partition) && (*ask.kinds)[beginning.kind];
    beginning.asked = questions_begun_;
    beginning.tasks = serves ? tasks_at(beginning.now, 0, ask, terms()) : 0;
  }
  int tasks = beginning.tasks;
  const Time end = now_ + ask.duration;
  if (tasks == 0 || group.changes == kForever) return tasks;
  if (group.full < kForever && ask.requirement->per_task.procs() > 0) {
    if (group.full < end) return 0;
    if (group.full == group.changes) {
      until = group.full;
      return tasks;
    }
  }
  const auto& worst = open.group(group.group).worst;
  for (std::size_t i = 1; i < worst.size() && tasks > 0; ++i) {
    const int here = tasks_at(worst, i, ask, terms());
    if (worst.level(i).from < end) {
      tasks = here;
    } else if (here < tasks) {
      until = worst.level(i).from;
      break;
    }
  }
  return tasks;
}

long long Timeline::room_now(const Ask& ask, PartitionId partition) {
  long long room = 0;
  each_group(view(ask.set), [&](OpenView& shown, const OpenView::Summary& group, int nodes) {
    Time until;
    room += static_cast<long long>(tasks_in(shown, group, ask, partition, until)) * nodes;
  });
  return room;
}

std::optional<Placement> Timeline::fits_in(const Ask& ask, PartitionId partition) {
  auto& open = view(ask.set);
  const auto& wanted = *ask.requirement;
  const auto free = open.free_procs() + (open.whole() ? 0 : views_.front().free_procs());
  if (free < static_cast<long long>(wanted.per_task.procs()) * wanted.tasks ||
      known_too_small(open, ask, partition))
    return std::nullopt;
  const bool plain = !wanted.shaped() && !ask.request->names_nodes() &&
                     chosen_by_kind(node_allocation(*cluster_, *settings_, partition)) &&
                     !limits_users_ && !(selector_ && settings_->node.local_tasks);
  return plain ? fits_by_group(ask, partition, open) : fits_by_node(ask, partition, open);
}

std::optional<Placement> Timeline::fits_by_group(const Ask& ask, PartitionId partition,
                                                 OpenView& open) {
  const auto policy = node_allocation(*cluster_, *settings_, partition);
  Found found;
  FirstRanks first(ask.requirement->tasks);
  each_group(open, [&](OpenView& shown, const OpenView::Summary& group, int nodes) {
    Time until;
    const int tasks = tasks_in(shown, group, ask, partition, until);
    if (tasks == 0) return;
    const auto here = static_cast<long long>(tasks) * nodes;
    found.room += here;
    if (&shown == &views_.front()) found.in_base += static_cast<long long>(tasks) * group.size;
    if (nodes == 0) return;
    const auto sample = [&]() -> const Node& {
      return cluster_->node(cluster_->sample_of_kind(shown.beginning(group.beginning).kind));
    };
    Rank rank{group.attraction.until(now_ + ask.stay), kForever, {}, {}};
    if (policy == NodeAllocation::min_resource) rank.size = configured_size(sample());
    if (policy == NodeAllocation::fastest) rank.pace = pace_of(sample());
    if (policy == NodeAllocation::last_available) rank.until = until;
    first.add(rank, {&shown, group.group, tasks}, here);
  });
  if (!first.enough()) {
    note_room(open, ask, partition, found);
    return std::nullopt;
  }
  const bool forwards =
      policy == NodeAllocation::first_available || policy == NodeAllocation::fastest;
  int left = ask.requirement->tasks;
  Placement placement;
  for (const auto& [rank, choices] : first.ranks()) {
    Merged nodes(!forwards);
    for (std::size_t i = 0; i < choices.choices.size(); ++i)
      nodes.add(choices.choices[i].view->group(choices.choices[i].group).nodes, i);
    while (left > 0 && !nodes.empty()) {
      const auto [node, i] = nodes.pop();
      const auto& from = choices.choices[i];
      if (!shows(open, *from.view, from.group, node)) continue;
      const int share = std::min(left, from.tasks);
      placement.push_back({node, share, ask.index});
      left -= share;
    }
  }
  return placement;
}

std::optional<Placement> Timeline::fits_by_node(const Ask& ask, PartitionId partition,
                                                OpenView& open) {
  std::vector<std::pair<Choice, Offer>> groups;
  Need need(*ask.requirement);
  Found found;
  each_group(open, [&](OpenView& shown, const OpenView::Summary& group, int nodes) {
    Offer offer;
    offer.tasks = tasks_in(shown, group, ask, partition, offer.until);
    if (offer.tasks == 0) return;
    found.room += static_cast<long long>(offer.tasks) * nodes;
    if (&shown == &views_.front())
      found.in_base += static_cast<long long>(offer.tasks) * group.size;
    if (nodes == 0) return;
    offer.affinity = group.attraction.until(now_ + ask.stay);
    need.offer(offer.tasks, nodes);
    groups.emplace_back(Choice{&shown, group.group, offer.tasks}, offer);
  });
  if (!need.met()) {
    note_room(open, ask, partition, found);
    return std::nullopt;
  }
  std::vector<Offer> offers;
  for (auto& [choice, offer] : groups) {
    const auto& group = choice.view->group(choice.group);
    for (const auto node : group.nodes) {
      if (!shows(open, *choice.view, choice.group, node)) continue;
      offers.push_back(offer);
      offers.back().node = node;
      // A group does not know how many jobs of this user each of its nodes has.
      if (cluster_->node(node).policy.max_jobs_per_user > 0)
        offers.back().tasks = tasks_on(node, ask, now_);
      if (offers.back().tasks == 0) offers.pop_back();
    }
  }
  return choose(ask, std::move(offers), now_);
}

}  // namespace maui
