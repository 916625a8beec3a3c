// Do these nodes together serve a requirement?
//
// Nodes are offered with the number of tasks that each can take; Need keeps the
// little that the question depends on, so that a sweep over time can add and
// withdraw offers cheaply.  A task never spans nodes.
#pragma once
#include <vector>

#include "maui/request.h"

namespace maui {

class Need {
 public:
  explicit Need(const Requirement& requirement);

  /// `count` more nodes (fewer, if negative) can take `tasks` each.
  void offer(int tasks, int count = 1);
  /// The tasks that one node which could take `tasks` can take from then on.
  void change(int from, int to) {
    if (from > 0) offer(from, -1);
    if (to > 0) offer(to, 1);
  }
  bool met() const;
  /// Tasks that could be placed, where node counts do not matter; for messages.
  long long tasks() const { return sum_; }

 private:
  int nodes_with_at_least(int tasks) const;

  int tasks_, least_, nodes_, per_node_;
  bool exact_;
  bool counting_;  // the distribution of offers matters, not only their sum
  bool possible_;  // its node counts do not contradict each other
  long long sum_ = 0;
  std::vector<int>
      by_tasks_;  // how many nodes can take so many tasks (all that is asked or more: last)
};

/// How many tasks each chosen node gets, once Need is met: takes offers in the given order and
/// writes the share of each (0: not used).  Returns whether the requirement is served.
bool share_tasks(const Requirement& requirement, const std::vector<int>& offers,
                 std::vector<int>& shares);

}  // namespace maui
