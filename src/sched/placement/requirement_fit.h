// Whether a group of nodes serves a requirement.
//
// Each node is offered with the number of tasks that it can take.  Need keeps only the data that
// the answer depends on, so that a sweep over time can add and withdraw offers cheaply.  A task
// never spans nodes.
#pragma once
#include <vector>

#include "maui/request.h"

namespace maui {

class Need {
 public:
  explicit Need(const Requirement& requirement);

  /// Offers `count` more nodes (fewer, if negative) that can take `tasks` each.
  void offer(int tasks, int count = 1);
  /// Changes an offered node from room for `from` tasks to room for `to` tasks.
  void change(int from, int to) {
    if (from > 0) offer(from, -1);
    if (to > 0) offer(to, 1);
  }
  bool met() const;
  /// The tasks that fit where node counts do not matter; for messages.
  long long tasks() const { return sum_; }

 private:
  int nodes_with_at_least(int tasks) const;

  int tasks_, least_, nodes_, per_node_;
  bool exact_;
  bool counting_;  // the distribution of offers matters, not only their sum
  bool possible_;  // the node counts do not contradict each other
  long long sum_ = 0;
  std::vector<int>
      by_tasks_;  // the number of nodes that can take so many tasks (last: all tasks or more)
};

/// Distributes the tasks once Need is met: takes offers in the given order and writes the share of
/// each node (0: unused).  Returns whether the requirement is served.
bool share_tasks(const Requirement& requirement, const std::vector<int>& offers,
                 std::vector<int>& shares);

}  // namespace maui
