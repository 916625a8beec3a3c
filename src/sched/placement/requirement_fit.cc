#include "sched/placement/requirement_fit.h"

#include <algorithm>
#include <numeric>

namespace maui {
namespace {

// True if TasksPerNode leads to a number of nodes that the node counts allow.
bool node_count_agrees(const Requirement& wanted) {
  const int needed = (wanted.tasks + wanted.tasks_per_node - 1) / wanted.tasks_per_node;
  if (wanted.exact_nodes && wanted.nodes > 0 && needed != wanted.nodes) return false;
  return needed >= wanted.least_nodes && (wanted.nodes == 0 || needed <= wanted.nodes);
}

// True if some node count is possible for the requirement with a task on each node.
bool node_counts_possible(const Requirement& wanted) {
  return wanted.least_nodes <= wanted.tasks &&
         (wanted.nodes == 0 || wanted.least_nodes <= wanted.nodes) &&
         (wanted.tasks_per_node == 0 || node_count_agrees(wanted));
}

}  // namespace

Need::Need(const Requirement& requirement)
    : tasks_(requirement.tasks),
      least_(requirement.least_nodes),
      nodes_(requirement.nodes),
      per_node_(requirement.tasks_per_node),
      exact_(requirement.exact_nodes && requirement.nodes > 0),
      counting_(requirement.shaped()),
      possible_(node_counts_possible(requirement)) {
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
  if (!possible_) return false;
  if (per_node_ > 0) {
    const int full = tasks_ / per_node_, rest = tasks_ % per_node_;
    const int needed = full + (rest > 0 ? 1 : 0);
    return nodes_with_at_least(per_node_) >= full &&
           (rest == 0 || nodes_with_at_least(rest) >= needed);
  }
  if (exact_) {
    const int each = tasks_ / nodes_, more = tasks_ % nodes_;
    return each > 0 && nodes_with_at_least(each) >= nodes_ &&
           (more == 0 || nodes_with_at_least(each + 1) >= more);
  }
  if (nodes_with_at_least(1) < least_) return false;
  if (nodes_ == 0) return true;
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

// Fills nodes in order, but leaves a task for each node that must still be used.
bool fill(const Requirement& wanted, const std::vector<int>& offers,
          const std::vector<std::size_t>& order, std::vector<int>& shares) {
  int left = wanted.tasks, used = 0;
  for (const auto i : order) {
    if (left == 0 || (wanted.nodes > 0 && used == wanted.nodes)) break;
    if (offers[i] <= 0) continue;
    ++used;
    shares[i] = std::min(left - std::max(0, wanted.least_nodes - used), offers[i]);
    left -= shares[i];
  }
  return left == 0 && used >= wanted.least_nodes;
}

// Puts exactly `size` tasks on each of `count` nodes, in order.
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
  if (!node_counts_possible(requirement)) return false;
  const int tasks = requirement.tasks;
  if (requirement.tasks_per_node > 0) {
    const int size = requirement.tasks_per_node, rest = tasks % size;
    return deal(size, tasks / size, offers, shares) && (rest == 0 || deal(rest, 1, offers, shares));
  }
  if (requirement.exact_nodes && requirement.nodes > 0) {
    const int each = tasks / requirement.nodes, more = tasks % requirement.nodes;
    return each > 0 && deal(each + 1, more, offers, shares) &&
           deal(each, requirement.nodes - more, offers, shares);
  }
  std::vector<std::size_t> order(offers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (fill(requirement, offers, order, shares)) return true;
  if (requirement.nodes == 0) return false;
  // The order of choice uses too many nodes: take the roomiest first, ties in that order.
  shares.assign(offers.size(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return offers[a] > offers[b]; });
  return fill(requirement, offers, order, shares);
}

}  // namespace maui
