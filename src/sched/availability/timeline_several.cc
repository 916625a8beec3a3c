// Several requirements of one job, which compete for nodes.
//
// They are placed one after the other, each as the allocation policy chooses, in each order in
// turn. Where that fails, their tasks are dealt to the nodes in every way, with a bounded effort.
#include <algorithm>

#include "sched/availability/timeline.h"

namespace maui {
namespace {

// In seats that are looked at, for each question; to place a requirement costs as much as several.
constexpr int kMostEffort = 100'000, kPlacing = 20;

// How many tasks of a requirement one node may have, given its shape.
class Shape {
 public:
  explicit Shape(const Requirement& wanted) : wanted_(wanted) {}

  bool free() const { return !wanted_.shaped(); }
  /// So many tasks on one further node, while so many are left and so many nodes are used.
  bool allows(int share, int left, int used) const {
    if (share == 0) return true;
    if (wanted_.nodes > 0 && used == wanted_.nodes) return false;
    if (left - share < wanted_.least_nodes - used - 1) return false;
    if (wanted_.tasks_per_node > 0)
      return share == wanted_.tasks_per_node || (share == wanted_.tasks % wanted_.tasks_per_node &&
                                                 left % wanted_.tasks_per_node == share);
    if (!wanted_.exact_nodes || wanted_.nodes == 0) return true;
    const int each = wanted_.tasks / wanted_.nodes;
    return share == each || (share == each + 1 && wanted_.tasks % wanted_.nodes > 0);
  }
  bool complete(int used) const {
    return used >= wanted_.least_nodes &&
           (wanted_.nodes == 0 || !wanted_.exact_nodes || used == wanted_.nodes);
  }

 private:
  const Requirement& wanted_;
};

}  // namespace

// Deals tasks to nodes depth first: requirement by requirement, the one with the least room to
// spare first; of each the nodes first that no later one could use.
class Timeline::Dealing {
 public:
  Dealing(Timeline& timeline, const Job& job, const Request& request, PartitionId partition,
          Time start, Seconds at_least, int& effort);
  std::optional<Placement> run() {
    if (!place(0)) return std::nullopt;
    return Placement(whole_.begin(), whole_.end());
  }

 private:
  struct Seat {
    NodeId node;
    int room = 0;
    bool contested = false;
    long long from_here = 0;  // room of this seat and of those behind it
  };
  Ask ask(std::uint32_t requirement) const;
  std::vector<Seat> seats(std::size_t rank) const;
  bool place(std::size_t rank);
  bool share(std::size_t rank, std::size_t begin, const std::vector<Seat>& seats, std::size_t at,
             int left, int used);
  bool go_on(std::size_t rank, std::size_t begin);

  Timeline& timeline_;
  const Job& job_;
  const Request& request_;
  Time start_;
  Seconds at_least_;
  int& effort_;
  std::vector<std::uint32_t> order_;           // of requirements
  std::vector<std::vector<NodeTasks>> rooms_;  // by requirement, while nothing is placed
  std::vector<std::vector<char>> serves_;      // by requirement and node
  std::vector<NodeTasks> whole_;
};

Timeline::Dealing::Dealing(Timeline& timeline, const Job& job, const Request& request,
                           PartitionId partition, Time start, Seconds at_least, int& effort)
    : timeline_(timeline),
      job_(job),
      request_(request),
      start_(start),
      at_least_(at_least),
      effort_(effort),
      order_(request.requirements.size()),
      rooms_(request.requirements.size()),
      serves_(request.requirements.size(),
              std::vector<char>(timeline.cluster_->nodes().size(), 0)) {
  std::vector<long long> spare(order_.size());
  for (std::uint32_t i = 0; i < order_.size(); ++i) {
    order_[i] = i;
    spare[i] = -request.requirements[i].tasks;
    for (const auto& offer : timeline.offers_at(ask(i), partition, start)) {
      rooms_[i].push_back({offer.node, offer.tasks, i});
      serves_[i][offer.node.index()] = 1;
      spare[i] += offer.tasks;
    }
  }
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return spare[a] < spare[b]; });
}

Ask Timeline::Dealing::ask(std::uint32_t requirement) const {
  auto asked = timeline_.ask(job_, request_, requirement);
  asked.set = timeline_.sets_->when(asked.set, start_, asked.duration);
  asked.duration = std::max(asked.duration, at_least_);
  return asked;
}

std::vector<Timeline::Dealing::Seat> Timeline::Dealing::seats(std::size_t rank) const {
  const auto in_use = [&](NodeId node) {
    return std::any_of(whole_.begin(), whole_.end(),
                       [&](const NodeTasks& one) { return one.node == node; });
  };
  const auto asked = ask(order_[rank]);
  std::vector<Seat> found;
  for (const auto& room : rooms_[order_[rank]]) {
    if (!request_.may_use(room.node) || (request_.apart && in_use(room.node))) continue;
    Seat seat{room.node, room.tasks};
    // Only where earlier requirements have been placed has the room changed.
    if (in_use(room.node)) seat.room = timeline_.tasks_on(room.node, asked, start_);
    for (auto later = rank + 1; later < order_.size(); ++later)
      seat.contested = seat.contested || serves_[order_[later]][room.node.index()] != 0;
    if (seat.room > 0) found.push_back(seat);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Seat& a, const Seat& b) { return a.contested < b.contested; });
  long long sum = 0;
  for (auto seat = found.rbegin(); seat != found.rend(); ++seat)
    seat->from_here = sum += seat->room;
  return found;
}

bool Timeline::Dealing::place(std::size_t rank) {
  if (rank == order_.size()) return true;
  return share(rank, whole_.size(), seats(rank), 0, request_.requirements[order_[rank]].tasks, 0);
}

// The seats from `at` on take what is left of the requirement.
bool Timeline::Dealing::share(std::size_t rank, std::size_t begin, const std::vector<Seat>& seats,
                              std::size_t at, int left, int used) {
  --effort_;
  const Shape shape(request_.requirements[order_[rank]]);
  if (left == 0) return shape.complete(used) && go_on(rank, begin);
  if (at == seats.size() || seats[at].from_here < left) return false;
  const int most = std::min(left, seats[at].room);
  const int least = !seats[at].contested && shape.free() ? most : 0;
  for (int tasks = most; tasks >= least && effort_ > 0; --tasks) {
    if (!shape.allows(tasks, left, used)) continue;
    if (tasks > 0) whole_.push_back({seats[at].node, tasks, order_[rank]});
    if (share(rank, begin, seats, at + 1, left - tasks, used + (tasks > 0 ? 1 : 0))) return true;
    if (tasks > 0) whole_.pop_back();
  }
  return false;
}

// This requirement stands in whole_ from `begin` on: the others are placed around it.
bool Timeline::Dealing::go_on(std::size_t rank, std::size_t begin) {
  effort_ -= kPlacing;
  const auto first = whole_.begin() + static_cast<std::ptrdiff_t>(begin);
  timeline_.hold(job_, request_, Placement(first, whole_.end()), start_);
  const bool placed = place(rank + 1);
  timeline_.release(job_.id, Placement(whole_.begin(), whole_.end()));
  if (!placed && begin > 0)
    timeline_.hold(job_, request_,
                   Placement(whole_.begin(), whole_.begin() + static_cast<std::ptrdiff_t>(begin)),
                   start_);
  return placed;
}

std::optional<Slot> Timeline::earliest_several(const Job& job, const Request& request, Time from,
                                               Time not_after) {
  int effort = kMostEffort;
  const auto in = [&](PartitionId partition, Time bound) -> std::optional<Slot> {
    for (Time start = from; start <= bound;) {
      // No requirement may be the one that has to wait.
      Time all = start;
      for (std::uint32_t i = 0; i < request.requirements.size() && all <= bound; ++i)
        all = first_room(ask(job, request, i), partition, all, bound);
      if (all > bound || all >= kForever) break;
      if (all > start) {
        start = all;  // is it still true of the others there?
        continue;
      }
      if (auto placement = place_several(job, request, partition, all, Seconds(0), effort))
        return Slot{all, partition, std::move(*placement)};
      start = next_change(all, ask(job, request).set);
    }
    return std::nullopt;
  };
  return first_in_partitions(job, request, from, not_after, in);
}

std::optional<Placement> Timeline::place_several(const Job& job, const Request& request,
                                                 PartitionId partition, Time start,
                                                 Seconds at_least) {
  int effort = kMostEffort;
  return place_several(job, request, partition, start, at_least, effort);
}

std::optional<Placement> Timeline::place_several(const Job& job, const Request& request,
                                                 PartitionId partition, Time start,
                                                 Seconds at_least, int& effort) {
  auto placement = place_in_some_order(job, request, partition, start, at_least, true);
  // Affinity may draw one requirement to the only nodes that would have done for another.
  if (!placement && sets_->of(job, request) != 0)
    placement = place_in_some_order(job, request, partition, start, at_least, false);
  // A host list that each requirement has to use up leaves nothing to deal.
  if (placement || request.host_list_use == HostListUse::all_of) return placement;
  return Dealing(*this, job, request, partition, start, at_least, effort).run();
}

std::optional<Placement> Timeline::place_in_some_order(const Job& job, const Request& request,
                                                       PartitionId partition, Time start,
                                                       Seconds at_least, bool by_affinity) {
  std::vector<std::uint32_t> order(request.requirements.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  constexpr int kMostOrders = 24;
  for (int tries = 0; tries < kMostOrders; ++tries) {
    Placement whole;
    bool placed = true;
    for (std::size_t i = 0; i < order.size() && placed; ++i) {
      auto asked = ask(job, request, order[i]);
      asked.set = sets_->when(asked.set, start, asked.duration);
      asked.duration = std::max(asked.duration, at_least);
      auto offers = offers_at(asked, partition, start);
      if (request.apart)
        std::erase_if(offers, [&](const Offer& offer) {
          return std::any_of(whole.begin(), whole.end(),
                             [&](const NodeTasks& one) { return one.node == offer.node; });
        });
      if (!by_affinity)
        for (auto& offer : offers) offer.affinity = Affinity::neutral;
      auto part = choose(asked, std::move(offers), start);
      placed = part.has_value();
      if (!placed) break;
      hold(job, request, *part, start);
      whole.add(*part);
    }
    release(job.id, whole);
    if (placed) return whole;
    if (!std::next_permutation(order.begin(), order.end())) break;
  }
  return std::nullopt;
}

}  // namespace maui
