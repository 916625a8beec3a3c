#include "sched/node_choice.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "sched/need.h"

namespace maui {

ConfiguredSize configured_size(const Node& node) {
  return {node.configured.memory(), node.configured.procs(), node.configured.disk(),
          node.configured.swap()};
}

Pace pace_of(const Node& node) { return {node.speed, node.proc_speed}; }

bool chosen_by_kind(NodeAllocation policy) {
  return policy == NodeAllocation::first_available || policy == NodeAllocation::last_available ||
         policy == NodeAllocation::min_resource || policy == NodeAllocation::fastest;
}

void order_offers(const Cluster& cluster, NodeAllocation policy, std::vector<Offer>& offers,
                  std::size_t needed) {
  const auto sort = [&](auto within) {
    const auto before = [&](const Offer& a, const Offer& b) {
      return a.affinity != b.affinity ? a.affinity < b.affinity : within(a, b);
    };
    auto last = offers.end();
    if (needed < offers.size()) {
      last = offers.begin() + static_cast<std::ptrdiff_t>(needed);
      std::nth_element(offers.begin(), last, offers.end(), before);
    }
    std::sort(offers.begin(), last, before);
  };
  switch (policy) {
    case NodeAllocation::first_available:
    case NodeAllocation::contiguous:
    case NodeAllocation::max_balance:
      sort([](const Offer& a, const Offer& b) { return a.node < b.node; });
      return;
    case NodeAllocation::min_resource:
      sort([&](const Offer& a, const Offer& b) {
        const auto left = configured_size(cluster.node(a.node));
        const auto right = configured_size(cluster.node(b.node));
        return left != right ? left < right : b.node < a.node;
      });
      return;
    case NodeAllocation::cpu_load:
      sort([](const Offer& a, const Offer& b) {
        return a.score != b.score ? a.score > b.score : b.node < a.node;
      });
      return;
    case NodeAllocation::machine_prio:
      sort([](const Offer& a, const Offer& b) {
        return a.score != b.score ? a.score > b.score : a.node < b.node;
      });
      return;
    case NodeAllocation::fastest:
      sort([&](const Offer& a, const Offer& b) {
        const auto left = pace_of(cluster.node(a.node)), right = pace_of(cluster.node(b.node));
        return left != right ? right < left : a.node < b.node;
      });
      return;
    case NodeAllocation::last_available:
    case NodeAllocation::local:  // where the site's program has no answer
      // The least time left over on either side: a job that ends before a reservation begins goes
      // where the reservation is; a reservation takes what comes free last before it begins, and of
      // that what holds back the fewest idle processors.
      sort([](const Offer& a, const Offer& b) {
        return std::tuple(b.since, a.tasks_now, a.until, b.node) <
               std::tuple(a.since, b.tasks_now, b.until, a.node);
      });
      return;
  }
}

std::vector<Offer> most_balanced(const Cluster& cluster, const Requirement& requirement,
                                 const std::vector<Offer>& offers) {
  bool speeds_differ = false;
  for (const auto& offer : offers)
    speeds_differ =
        speeds_differ || cluster.node(offer.node).speed != cluster.node(offers.front().node).speed;
  const auto speed = [&](const Offer& offer) {
    const auto& node = cluster.node(offer.node);
    return speeds_differ ? node.speed : static_cast<double>(node.proc_speed);
  };
  std::vector<Offer> sorted = offers;
  std::sort(sorted.begin(), sorted.end(), [&](const Offer& a, const Offer& b) {
    return speed(a) != speed(b) ? speed(a) < speed(b) : a.node < b.node;
  });
  // For each lowest speed the least highest one; equal speeds come and go together.
  Need need(requirement);
  std::size_t first = 0, end = 0, best_first = 0, best_end = 0;
  double span = -1;
  const auto next = [&](std::size_t at) {
    const double here = speed(sorted[at]);
    while (at < sorted.size() && speed(sorted[at]) == here) ++at;
    return at;
  };
  while (first < sorted.size()) {
    while (!need.met() && end < sorted.size())
      for (const auto stop = next(end); end < stop; ++end) need.offer(sorted[end].tasks);
    if (!need.met()) break;
    const double here = speed(sorted[end - 1]) - speed(sorted[first]);
    if (span < 0 || here <= span) {
      span = here;
      best_first = first;
      best_end = end;
    }
    for (const auto stop = next(first); first < stop; ++first) need.offer(sorted[first].tasks, -1);
  }
  const auto begin = sorted.begin();
  std::vector<Offer> best(begin + static_cast<std::ptrdiff_t>(best_first),
                          begin + static_cast<std::ptrdiff_t>(best_end));
  std::sort(best.begin(), best.end(),
            [](const Offer& a, const Offer& b) { return a.node < b.node; });
  return best;
}

void order_by_blocks(const Requirement& requirement, std::vector<Offer>& offers) {
  std::sort(offers.begin(), offers.end(),
            [](const Offer& a, const Offer& b) { return a.node < b.node; });
  struct Stretch {
    std::size_t first = 0, end = 0;
    long long room = 0;
    bool serves = false;
  };
  std::vector<Stretch> blocks;
  for (std::size_t i = 0; i < offers.size();) {
    Stretch block{i, i, 0, false};
    Need need(requirement);
    do {
      block.room += std::min(offers[i].tasks, requirement.tasks);
      need.offer(offers[i].tasks);
      block.end = ++i;
    } while (i < offers.size() && offers[i].node.raw() == offers[i - 1].node.raw() + 1);
    block.serves = need.met();
    blocks.push_back(block);
  }
  const auto best =
      std::min_element(blocks.begin(), blocks.end(), [](const Stretch& a, const Stretch& b) {
        return a.serves != b.serves ? a.serves : a.serves && a.room < b.room;
      });
  if (best != blocks.end() && best->serves) std::rotate(blocks.begin(), best, best + 1);
  std::stable_sort(blocks.begin() + (best != blocks.end() && blocks.front().serves ? 1 : 0),
                   blocks.end(),
                   [](const Stretch& a, const Stretch& b) { return a.room > b.room; });
  std::vector<Offer> ordered;
  ordered.reserve(offers.size());
  for (const auto& block : blocks)
    ordered.insert(ordered.end(), offers.begin() + static_cast<std::ptrdiff_t>(block.first),
                   offers.begin() + static_cast<std::ptrdiff_t>(block.end));
  offers = std::move(ordered);
}

namespace {

Placement as_placement(const std::vector<Offer>& offers, const std::vector<int>& shares,
                       std::uint32_t index) {
  Placement placement;
  for (std::size_t i = 0; i < offers.size(); ++i)
    if (shares[i] > 0) placement.push_back({offers[i].node, shares[i], index});
  return placement;
}

std::vector<int> rooms_of(const std::vector<Offer>& offers) {
  std::vector<int> rooms;
  rooms.reserve(offers.size());
  for (const auto& offer : offers) rooms.push_back(offer.tasks);
  return rooms;
}

}  // namespace

std::optional<Placement> place(const Requirement& requirement, std::uint32_t index,
                               const std::vector<Offer>& offers) {
  if (requirement.nodes > 0 || requirement.tasks_per_node > 0) {
    std::vector<int> shares;
    if (!share_tasks(requirement, rooms_of(offers), shares)) return std::nullopt;
    return as_placement(offers, shares, index);
  }
  Placement placement;
  int left = requirement.tasks;
  for (std::size_t i = 0; i < offers.size() && left > 0; ++i) {
    const int share = std::min(left, offers[i].tasks);
    placement.push_back({offers[i].node, share, index});
    left -= share;
  }
  if (left > 0) return std::nullopt;
  return placement;
}

std::optional<Placement> place_on_hosts(const Requirement& requirement, std::uint32_t index,
                                        const std::vector<Offer>& offers, std::size_t hosts) {
  const auto rooms = rooms_of(offers);
  std::vector<int> shares;
  const bool spread =
      requirement.tasks_per_node > 0 || (requirement.exact_nodes && requirement.nodes > 0);
  if (spread) {
    const bool all =
        share_tasks(requirement, rooms, shares) &&
        std::all_of(shares.begin(), shares.begin() + static_cast<std::ptrdiff_t>(hosts),
                    [](int share) { return share > 0; });
    if (!all) return std::nullopt;
    return as_placement(offers, shares, index);
  }
  const auto most =
      requirement.nodes > 0 ? static_cast<std::size_t>(requirement.nodes) : offers.size();
  if (requirement.tasks < static_cast<int>(hosts) || hosts > most) return std::nullopt;
  std::vector<std::size_t> order(offers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto fill = [&] {
    int left = requirement.tasks - static_cast<int>(hosts);
    shares.assign(offers.size(), 0);
    for (std::size_t used = 0; used < std::min(most, offers.size()); ++used) {
      const int first = used < hosts ? 1 : 0;
      const int more = std::min(left, rooms[order[used]] - first);
      shares[order[used]] = first + more;
      left -= more;
    }
    return left == 0;
  };
  if (fill()) return as_placement(offers, shares, index);
  // Too many nodes in the order of choice: after the listed hosts the roomiest, as share_tasks
  // does.
  std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(hosts), order.end(),
                   [&](std::size_t a, std::size_t b) { return rooms[a] > rooms[b]; });
  if (!fill()) return std::nullopt;
  return as_placement(offers, shares, index);
}

}  // namespace maui
