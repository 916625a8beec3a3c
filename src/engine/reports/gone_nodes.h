// Nodes that resource managers no longer report: lost nodes, and nodes that were purged
// (NODEPURGETIME) and still have a name.
#pragma once
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "maui/cluster.h"

namespace maui {

class GoneNodes {
 public:
  /// Marks the node as lost.  Returns false if it was lost before.
  bool lose(NodeId node) { return lost_.insert(node).second; }
  void find(NodeId node) { lost_.erase(node); }
  const std::set<NodeId>& lost() const { return lost_; }

  /// The scheduler purges the node; references to its name may remain.
  void purge(NodeId node) {
    lost_.erase(node);
    purged_.push_back(node);
  }
  /// True if purged nodes should be searched for unreferenced ones: there are more than the last
  /// search left, or that was long ago.
  bool worth_a_look(Time now) const {
    constexpr Seconds kAgain{600};
    return looked_ > 0 || purged_.size() > left_over_ ||
           (!purged_.empty() && now >= looked_at_ + kAgain);
  }
  /// Examines up to `most` purged nodes, from where the last call ended, and drops those for which
  /// `given_up` returns true.  Returns true when all have been examined.
  template <class Predicate>
  bool give_up(Time now, std::size_t most, Predicate given_up) {
    looked_at_ = now;
    for (; most > 0 && looked_ < purged_.size(); --most) {
      if (!given_up(purged_[looked_])) {
        ++looked_;
        continue;
      }
      purged_[looked_] = purged_.back();
      purged_.pop_back();
    }
    if (looked_ < purged_.size()) return false;
    left_over_ = std::exchange(looked_, 0);
    return true;
  }

 private:
  std::set<NodeId> lost_;  // since Node::state_since
  std::vector<NodeId> purged_;
  std::size_t left_over_ = 0, looked_ = 0;  // by the last search; by the current one
  Time looked_at_{0};
};

}  // namespace maui
