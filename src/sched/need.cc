#include "sched/need.h"

#include <algorithm>
#include <numeric>

namespace maui {
namespace {

// With so many tasks on each node, are there as many nodes as the node count asks for?
bool node_count_agrees(int nodes, bool exact, int tasks, int per_node) {
  const int needed = (tasks + per_node - 1) / per_node;
  return nodes == 0 || (exact ? needed == nodes : needed <= nodes);
}

}  // namespace

Need::Need(const Requirement& requirement)
    : tasks_(requirement.tasks),
      nodes_(requirement.nodes),
      per_node_(requirement.tasks_per_node),
      exact_(requirement.exact_nodes && requirement.nodes > 0),
      counting_(requirement.nodes > 0 || requirement.tasks_per_node > 0) {
  if (counting_) by_tasks_.assign(static_cast<std::size_t>(tasks_) + 1, 0);
}

void Need::offer(int tasks, int count) {
  if (tasks <= 0) return;
  tasks = std::min(tasks, tasks_);
  sum_ += static_cast<long long>(tasks) * count;
  if (counting_) by_tasks_[static_cast<std::size_t>(tasks)] += count;
}

int Need::nodes_with_at_least(int tasks) const {
  return std::accumulate(by_tasks_.begin() + std::min(tasks, tasks_), by_tasks_.end(), 0);
}

bool Need::met() const {
  if (sum_ < tasks_) return false;
  if (!counting_) return true;
  if (per_node_ > 0) {
    const int full = tasks_ / per_node_, rest = tasks_ % per_node_;
    const int needed = full + (rest > 0 ? 1 : 0);
    return node_count_agrees(nodes_, exact_, tasks_, per_node_) &&
           nodes_with_at_least(per_node_) >= full &&
           (rest == 0 || nodes_with_at_least(rest) >= needed);
  }
  if (exact_) {
    const int each = tasks_ / nodes_, more = tasks_ % nodes_;
    return each > 0 && nodes_with_at_least(each) >= nodes_ &&
           (more == 0 || nodes_with_at_least(each + 1) >= more);
  }
  long long placed = 0;  // on the nodes that take most
  int left = nodes_;
  for (std::size_t tasks = by_tasks_.size(); tasks-- > 1 && left > 0 && placed < tasks_;) {
    const int used = std::min(left, by_tasks_[tasks]);
    placed += static_cast<long long>(used) * static_cast<long long>(tasks);
    left -= used;
  }
  return placed >= tasks_;
}

namespace {

// As many on each as it takes, in order, on no more than `most` nodes.
bool fill(int tasks, std::size_t most, const std::vector<int>& offers,
          const std::vector<std::size_t>& order, std::vector<int>& shares) {
  std::size_t used = 0;
  for (const auto i : order) {
    if (tasks == 0 || used == most) break;
    shares[i] = std::min(tasks, offers[i]);
    tasks -= shares[i];
    used += shares[i] > 0 ? 1 : 0;
  }
  return tasks == 0;
}

// Exactly `size` on each of `count` nodes, in order.
bool deal(int size, int count, const std::vector<int>& offers, std::vector<int>& shares) {
  for (std::size_t i = 0; i < offers.size() && count > 0; ++i) {
    if (shares[i] != 0 || offers[i] < size) continue;
    shares[i] = size;
    --count;
  }
  return count == 0;
}

}  // namespace

bool share_tasks(const Requirement& requirement, const std::vector<int>& offers,
                 std::vector<int>& shares) {
  shares.assign(offers.size(), 0);
  const int tasks = requirement.tasks;
  if (requirement.tasks_per_node > 0) {
    const int size = requirement.tasks_per_node, rest = tasks % size;
    return node_count_agrees(requirement.nodes, requirement.exact_nodes, tasks, size) &&
           deal(size, tasks / size, offers, shares) && (rest == 0 || deal(rest, 1, offers, shares));
  }
  if (requirement.exact_nodes && requirement.nodes > 0) {
    const int each = tasks / requirement.nodes, more = tasks % requirement.nodes;
    return each > 0 && deal(each + 1, more, offers, shares) &&
           deal(each, requirement.nodes - more, offers, shares);
  }
  std::vector<std::size_t> order(offers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto most =
      requirement.nodes > 0 ? static_cast<std::size_t>(requirement.nodes) : offers.size();
  if (fill(tasks, most, offers, order, shares)) return true;
  if (requirement.nodes == 0) return false;
  // Too many nodes in the order of choice: the roomiest first, that order among equals.
  shares.assign(offers.size(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return offers[a] > offers[b]; });
  return fill(tasks, most, offers, order, shares);
}

}  // namespace maui
