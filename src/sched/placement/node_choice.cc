#include "sched/placement/node_choice.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "sched/placement/requirement_fit.h"

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
    case NodeAllocation::local:  // where the site's program gives no answer
      // The least unused time on either side: a job that ends before a reservation begins goes
      // where the reservation is; a reservation takes nodes that come free last before its start,
      // and among these the nodes that keep the fewest processors idle.
      sort([](const Offer& a, const Offer& b) {
        return std::tuple(b.since, a.tasks_now, a.until, b.node) <
               std::tuple(a.since, b.tasks_now, b.until, a.node);
      });
      return;
  }
}

namespace {

// Offers sorted by affinity: the tiers that are needed completely, and the next tier, with which
// the requirement is served.
struct Tiers {
  std::size_t needed = 0, end = 0;  // [0, needed) and [needed, end)
  Need by_needed;                   // the need that the needed tiers meet
  bool served = false;
};

Tiers tiers_of(const Requirement& requirement, std::vector<Offer>& offers) {
  std::sort(offers.begin(), offers.end(), [](const Offer& a, const Offer& b) {
    return a.affinity != b.affinity ? a.affinity < b.affinity : a.node < b.node;
  });
  Tiers found{0, 0, Need(requirement)};
  Need all = found.by_needed;
  while (found.end < offers.size() && !found.served) {
    found.needed = found.end;
    found.by_needed = all;
    const auto affinity = offers[found.end].affinity;
    for (; found.end < offers.size() && offers[found.end].affinity == affinity; ++found.end)
      all.offer(offers[found.end].tasks);
    found.served = all.met();
  }
  return found;
}

// The speeds of nodes that are chosen together.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  Range with(double low_too, double high_too) const {
    return {std::min(low, low_too), std::max(high, high_too)};
  }
  double width() const { return high - low; }
};

// Returns the range [first, end) of offers, sorted by speed, that together with `needed` has the
// smallest range of speeds, the fastest of several such, among those that meet the need.
template <class SpeedOf>
std::pair<std::size_t, std::size_t> narrowest(const std::vector<Offer>& sorted, SpeedOf speed,
                                              Need need, const Range& needed) {
  std::pair<std::size_t, std::size_t> best{0, 0};
  double width = -1;
  const auto next = [&](std::size_t at) {
    const double here = speed(sorted[at]);
    while (at < sorted.size() && speed(sorted[at]) == here) ++at;
    return at;
  };
  // Finds the least highest speed for each lowest speed; equal speeds come and go together.
  for (std::size_t first = 0, end = 0; first < sorted.size();) {
    while (!need.met() && end < sorted.size())
      for (const auto stop = next(end); end < stop; ++end) need.offer(sorted[end].tasks);
    if (!need.met()) break;
    const double here = needed.with(speed(sorted[first]), speed(sorted[end - 1])).width();
    if (width < 0 || here <= width) {
      width = here;
      best = {first, end};
    }
    for (const auto stop = next(first); first < stop; ++first) need.offer(sorted[first].tasks, -1);
  }
  return best;
}

}  // namespace

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
  const auto tiers = tiers_of(requirement, sorted);
  if (!tiers.served) return {};
  std::vector<Offer> best(sorted.begin(),
                          sorted.begin() + static_cast<std::ptrdiff_t>(tiers.needed));
  Range needed;
  for (const auto& offer : best) needed = needed.with(speed(offer), speed(offer));
  sorted.erase(sorted.begin() + static_cast<std::ptrdiff_t>(tiers.end), sorted.end());
  sorted.erase(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(tiers.needed));
  std::sort(sorted.begin(), sorted.end(), [&](const Offer& a, const Offer& b) {
    return speed(a) != speed(b) ? speed(a) < speed(b) : a.node < b.node;
  });
  if (tiers.by_needed.met()) return best;  // no task is left for other nodes
  const auto [first, end] = narrowest(sorted, speed, tiers.by_needed, needed);
  const auto begin = sorted.begin() + static_cast<std::ptrdiff_t>(first);
  const auto stop = sorted.begin() + static_cast<std::ptrdiff_t>(end);
  std::sort(begin, stop, [](const Offer& a, const Offer& b) { return a.node < b.node; });
  best.insert(best.end(), begin, stop);
  return best;
}

namespace {

// An unbroken row of nodes.
struct NodeRow {
  std::vector<Offer> offers;  // from the end that adjoins a node of better affinity, if any
  long long room = 0;
  bool serves = false;
  bool adjoins = false;  // next to a node of better affinity
};

// `before`: the nodes of better affinity, sorted.
NodeRow row_of(std::span<const Offer> row, const std::vector<std::uint32_t>& before, Need need,
               int wanted) {
  NodeRow made;
  made.offers.assign(row.begin(), row.end());
  for (const auto& offer : row) {
    made.room += std::min(offer.tasks, wanted);
    need.offer(offer.tasks);
  }
  made.serves = need.met();
  const auto goes_before = [&](std::uint32_t node) {
    return std::binary_search(before.begin(), before.end(), node);
  };
  const bool in_front = row.front().node.raw() > 0 && goes_before(row.front().node.raw() - 1);
  const bool behind = goes_before(row.back().node.raw() + 1);
  made.adjoins = in_front || behind;
  if (behind && !in_front) std::reverse(made.offers.begin(), made.offers.end());
  return made;
}

}  // namespace

void order_by_blocks(const Requirement& requirement, std::vector<Offer>& offers) {
  const auto tiers = tiers_of(requirement, offers);
  const std::span all(offers);
  std::vector<std::uint32_t> before;
  for (const auto& offer : all.first(tiers.needed)) before.push_back(offer.node.raw());
  std::sort(before.begin(), before.end());
  std::vector<NodeRow> blocks;
  for (std::size_t i = tiers.needed; i < tiers.end;) {
    const auto first = i++;
    while (i < tiers.end && offers[i].node.raw() == offers[i - 1].node.raw() + 1) ++i;
    blocks.push_back(
        row_of(all.subspan(first, i - first), before, tiers.by_needed, requirement.tasks));
  }
  const auto best =
      std::min_element(blocks.begin(), blocks.end(), [](const auto& a, const auto& b) {
        if (a.serves != b.serves) return a.serves;
        if (a.adjoins != b.adjoins) return a.adjoins;
        return a.serves && a.room < b.room;
      });
  const bool served = best != blocks.end() && best->serves;
  if (served) std::rotate(blocks.begin(), best, best + 1);
  std::stable_sort(blocks.begin() + (served ? 1 : 0), blocks.end(),
                   [](const NodeRow& a, const NodeRow& b) {
                     return a.adjoins != b.adjoins ? a.adjoins : a.room > b.room;
                   });
  auto at = offers.begin() + static_cast<std::ptrdiff_t>(tiers.needed);
  for (const auto& block : blocks) at = std::copy(block.offers.begin(), block.offers.end(), at);
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

/// Distributes the tasks anew over the nodes that have some, packed in node order.
void pack(const std::vector<Offer>& offers, std::vector<int>& shares) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < shares.size(); ++i)
    if (shares[i] > 0) order.push_back(i);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return offers[a].node < offers[b].node; });
  int left = std::accumulate(shares.begin(), shares.end(), 0);
  auto follow = static_cast<int>(order.size());
  for (const auto i : order) {
    shares[i] = std::min(left - --follow, offers[i].tasks);
    left -= shares[i];
  }
}

}  // namespace

std::optional<Placement> place(const Requirement& requirement, std::uint32_t index,
                               const std::vector<Offer>& offers) {
  if (requirement.shaped()) {
    std::vector<int> shares;
    if (!share_tasks(requirement, rooms_of(offers), shares)) return std::nullopt;
    if (requirement.packed && requirement.tasks_per_node == 0) pack(offers, shares);
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
  // Each of these nodes takes a task before any node takes more.
  const auto each = std::max(hosts, static_cast<std::size_t>(requirement.least_nodes));
  if (requirement.tasks < static_cast<int>(each) || each > std::min(most, offers.size()))
    return std::nullopt;
  std::vector<std::size_t> order(offers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto fill = [&] {
    int left = requirement.tasks - static_cast<int>(each);
    shares.assign(offers.size(), 0);
    for (std::size_t used = 0; used < std::min(most, offers.size()); ++used) {
      const int first = used < each ? 1 : 0;
      const int more = std::min(left, rooms[order[used]] - first);
      shares[order[used]] = first + more;
      left -= more;
    }
    return left == 0;
  };
  const auto placed = [&] {
    if (requirement.packed) pack(offers, shares);
    return as_placement(offers, shares, index);
  };
  if (fill()) return placed();
  // The order of choice uses too many nodes: after the listed hosts, use the roomiest nodes, as
  // share_tasks does.
  std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(hosts), order.end(),
                   [&](std::size_t a, std::size_t b) { return rooms[a] > rooms[b]; });
  if (!fill()) return std::nullopt;
  return placed();
}

}  // namespace maui
