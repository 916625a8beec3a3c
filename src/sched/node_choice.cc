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
      sort([](const Offer& a, const Offer& b) { return a.node < b.node; });
      return;
    case NodeAllocation::min_resource:
      sort([&](const Offer& a, const Offer& b) {
        const auto left = configured_size(cluster.node(a.node));
        const auto right = configured_size(cluster.node(b.node));
        return left != right ? left < right : b.node < a.node;
      });
      return;
    // The others come with their policies; until then they choose as the default does.
    case NodeAllocation::last_available:
    case NodeAllocation::cpu_load:
    case NodeAllocation::machine_prio:
    case NodeAllocation::local:
    case NodeAllocation::contiguous:
    case NodeAllocation::max_balance:
    case NodeAllocation::fastest:
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
