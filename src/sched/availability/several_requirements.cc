#include "sched/availability/several_requirements.h"

#include <algorithm>

namespace maui {
namespace {

// How many tasks of a requirement one node may have, given the requirement's shape.
class ShapeRule {
 public:
  explicit ShapeRule(const Requirement& wanted) : wanted_(wanted) {}

  bool free() const { return !wanted_.shaped(); }
  /// True if another node may get `share` of the `left` tasks after `used` nodes are used.
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

template <class Shares>
bool uses(const Shares& placement, NodeId node) {
  return std::any_of(placement.begin(), placement.end(),
                     [&](const NodeTasks& share) { return share.node == node; });
}

}  // namespace

// Distributes tasks to nodes depth first: requirement by requirement, the one with the least spare
// room first; for each, nodes first that no later requirement could use.
class SeveralRequirements::Dealing {
 public:
  Dealing(SeveralRequirements& all, PartitionId partition, Time start, Seconds at_least);
  std::optional<Placement> run() {
    if (!place(0)) return std::nullopt;
    return Placement(whole_.begin(), whole_.end());
  }

 private:
  struct Seat {
    NodeId node;
    int room = 0;
    bool contested = false;
    long long from_here = 0;  // the room of this seat and of all later seats
  };
  std::vector<Seat> seats(std::size_t rank) const;
  bool place(std::size_t rank);
  bool share(std::size_t rank, std::size_t begin, const std::vector<Seat>& seats, std::size_t at,
             int left, int used);
  bool go_on(std::size_t rank, std::size_t begin);

  SeveralRequirements& all_;
  ClusterModel& model_;
  const Request& request_;
  PartitionId partition_;
  Time start_;
  Seconds at_least_;
  std::vector<std::uint32_t> order_;           // of requirements
  std::vector<std::vector<NodeTasks>> rooms_;  // by requirement, while nothing is placed
  std::vector<std::vector<char>> serves_;      // by requirement and node
  std::vector<NodeTasks> whole_;
};

SeveralRequirements::Dealing::Dealing(SeveralRequirements& all, PartitionId partition, Time start,
                                      Seconds at_least)
    : all_(all),
      model_(all.model_),
      request_(all.request_),
      partition_(partition),
      start_(start),
      at_least_(at_least),
      order_(request_.requirements.size()),
      rooms_(order_.size()),
      serves_(order_.size()) {
  std::vector<long long> spare(order_.size());
  for (std::uint32_t i = 0; i < order_.size(); ++i) {
    order_[i] = i;
    spare[i] = -request_.requirements[i].tasks;
    serves_[i].resize(model_.model().groups().node_count());
    for (const auto& offer : all_.offers(all_.question(i, partition, at_least), start)) {
      rooms_[i].push_back({offer.node, offer.tasks, i});
      serves_[i][offer.node.index()] = 1;
      spare[i] += offer.tasks;
    }
    all_.charge(rooms_[i].size());
    std::sort(rooms_[i].begin(), rooms_[i].end(),
              [](const NodeTasks& a, const NodeTasks& b) { return a.node < b.node; });
  }
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return spare[a] < spare[b]; });
}

std::vector<SeveralRequirements::Dealing::Seat> SeveralRequirements::Dealing::seats(
    std::size_t rank) const {
  const auto question = all_.question(order_[rank], partition_, at_least_);
  const auto& wanted = question.wanted();
  std::vector<Seat> found;
  for (const auto& room : rooms_[order_[rank]]) {
    const bool used = uses(whole_, room.node);
    if (!request_.may_use(room.node, wanted) || (request_.apart && used)) continue;
    Seat seat{room.node, room.tasks};
    // The room has changed only where earlier requirements have been placed.
    if (used) seat.room = model_.tasks_on(room.node, question, start_);
    for (auto later = rank + 1; later < order_.size() && !seat.contested; ++later)
      seat.contested = serves_[order_[later]][room.node.index()] != 0;
    if (seat.room > 0) found.push_back(seat);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Seat& a, const Seat& b) { return a.contested < b.contested; });
  long long sum = 0;
  for (auto seat = found.rbegin(); seat != found.rend(); ++seat)
    seat->from_here = sum += seat->room;
  return found;
}

bool SeveralRequirements::Dealing::place(std::size_t rank) {
  if (rank == order_.size()) return true;
  all_.effort_ -= static_cast<int>(rooms_[order_[rank]].size());
  return share(rank, whole_.size(), seats(rank), 0, request_.requirements[order_[rank]].tasks, 0);
}

// Distributes the rest of the requirement over the seats from `at` on.
bool SeveralRequirements::Dealing::share(std::size_t rank, std::size_t begin,
                                         const std::vector<Seat>& seats, std::size_t at, int left,
                                         int used) {
  --all_.effort_;
  const ShapeRule shape(request_.requirements[order_[rank]]);
  if (left == 0) return shape.complete(used) && go_on(rank, begin);
  constexpr std::size_t kMostSeats = 8192;  // each takes some of the stack
  if (at == std::min(seats.size(), kMostSeats) || seats[at].from_here < left) return false;
  const int most = std::min(left, seats[at].room);
  const int least = !seats[at].contested && shape.free() ? most : 0;
  for (int tasks = most; tasks >= least && all_.effort_ > 0; --tasks) {
    if (!shape.allows(tasks, left, used)) continue;
    if (tasks > 0) whole_.push_back({seats[at].node, tasks, order_[rank]});
    if (share(rank, begin, seats, at + 1, left - tasks, used + (tasks > 0 ? 1 : 0))) return true;
    if (tasks > 0) whole_.pop_back();
  }
  return false;
}

// Places the other requirements around this one, which whole_ holds from `begin` on.
bool SeveralRequirements::Dealing::go_on(std::size_t rank, std::size_t begin) {
  all_.effort_ -= kPlacing;
  const availability::Availability::Trial placed(model_.model());
  const auto first = whole_.begin() + static_cast<std::ptrdiff_t>(begin);
  model_.hold_own(all_.job_, request_, Placement(first, whole_.end()), start_);
  return place(rank + 1);
}

void SeveralRequirements::charge(std::size_t nodes) {
  share_.left -= static_cast<std::int64_t>(groups_ + nodes);
}

RequirementQuestion SeveralRequirements::question(std::uint32_t requirement, PartitionId partition,
                                                  Seconds at_least) const {
  return {job_,
          request_,
          requirement,
          partition,
          variant_ ? variant_->stay : request_.limit,
          variant_ ? &variant_->kinds[requirement] : nullptr,
          at_least};
}

// Returns all suitable nodes, named by the request or not, regardless of when they come free.
std::vector<Offer> SeveralRequirements::offers(const RequirementQuestion& question, Time start) {
  ClusterModel::Asked asked;
  model_.fill(asked, question);
  asked.question.among = asked.question.each_of = nullptr;
  auto found = model_.offers(asked, start);
  for (auto& offer : found) {
    offer.since = Time(0);
    offer.tasks_now = 0;
  }
  return found;
}

std::optional<Slot> SeveralRequirements::earliest(PartitionId partition, Time from, Time bound) {
  // Once the effort is spent, the search skips more and more changes: it then finds a start, but
  // perhaps not the first one.
  std::size_t changes = 1;
  for (Time start = from; start <= bound && !share_.over();) {
    // All requirements must fit, so the latest of their earliest times counts.
    Time all = start;
    for (std::uint32_t i = 0; i < request_.requirements.size() && all <= bound; ++i) {
      ClusterModel::Asked asked;
      model_.fill(asked, question(i, partition, Seconds(0)));
      charge(0);
      all = model_.model().earliest(asked.question, all, bound).value_or(kForever);
    }
    if (all > bound || all >= kForever) break;
    if (all > start) {
      start = all;  // check the other requirements again at that time
      continue;
    }
    if (auto placement = place(partition, all, Seconds(0)))
      return Slot{all, partition, std::move(*placement)};
    if (share_.spent()) changes *= 2;
    start = all;
    for (std::size_t i = 0; i < changes; ++i) {
      const Time next = next_change(partition, start);
      if (next > bound || next >= kForever) {
        if (i == 0) return std::nullopt;
        break;  // no later change
      }
      start = next;
    }
  }
  return std::nullopt;
}

Time SeveralRequirements::next_change(PartitionId partition, Time after) {
  Time next = kForever;
  for (std::uint32_t i = 0; i < request_.requirements.size() && after < kForever; ++i) {
    charge(0);
    next = std::min(next, model_.next_change(after, question(i, partition, Seconds(0))));
  }
  return next;
}

std::optional<Placement> SeveralRequirements::place(PartitionId partition, Time start,
                                                    Seconds at_least) {
  if (share_.over()) return std::nullopt;
  auto placement = place_in_some_order(partition, start, at_least, true);
  // Affinity may draw one requirement to the only nodes that would suit another.
  if (!placement && model_.access_sets().of(job_, request_) != 0)
    placement = place_in_some_order(partition, start, at_least, false);
  // If each requirement has to use up the host list, there is nothing to distribute.
  if (placement || request_.host_list_use == HostListUse::all_of || share_.spent())
    return placement;
  return Dealing(*this, partition, start, at_least).run();
}

std::optional<Placement> SeveralRequirements::place_in_some_order(PartitionId partition, Time start,
                                                                  Seconds at_least,
                                                                  bool by_affinity) {
  std::vector<std::uint32_t> order(request_.requirements.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  constexpr int kMostOrders = 24;
  for (int tries = 0; tries < kMostOrders && (tries == 0 || !share_.spent()); ++tries) {
    const availability::Availability::Trial tried(model_.model());
    Placement whole;
    bool placed = true;
    for (std::size_t i = 0; i < order.size() && placed; ++i) {
      const auto asked = question(order[i], partition, at_least);
      auto found = offers(asked, start);
      charge(kPlacing + found.size());
      std::erase_if(found, [&](const Offer& offer) {
        return !request_.may_use(offer.node, asked.wanted()) ||
               (request_.apart && uses(whole, offer.node));
      });
      if (!by_affinity)
        for (auto& offer : found) offer.affinity = Affinity::neutral;
      auto part = model_.choose(asked, start, std::move(found));
      placed = part.has_value();
      if (!placed) break;
      model_.hold_own(job_, request_, *part, start);
      whole.add(*part);
    }
    if (placed) return whole;
    if (!std::next_permutation(order.begin(), order.end())) break;
  }
  return std::nullopt;
}

}  // namespace maui
