// Nodes that resource managers tell of no longer: lost ones, and those that were purged
// (NODEPURGETIME) and still have a name.
#pragma once
#include <cstddef>
#include <set>
#include <vector>

#include "maui/cluster.h"

namespace maui {

class GoneNodes {
 public:
  /// False if it was lost before.
  bool lose(NodeId node) { return lost_.insert(node).second; }
  void find(NodeId node) { lost_.erase(node); }
  const std::set<NodeId>& lost() const { return lost_; }

  /// The scheduler forgets the node, whose name something may still refer to.
  void purge(NodeId node) {
    lost_.erase(node);
    purged_.push_back(node);
  }
  /// True if it is worth while to look for purged nodes that nothing refers to: there are more than
  /// the last look left over, or that is long ago.
  bool worth_a_look(Time now) const {
    constexpr Seconds kAgain{600};
    return purged_.size() > left_over_ || (!purged_.empty() && now >= looked_at_ + kAgain);
  }
  /// Forgets those of which `given_up` is true.
  template <class Predicate>
  void give_up(Time now, Predicate given_up) {
    looked_at_ = now;
    std::erase_if(purged_, given_up);
    left_over_ = purged_.size();
  }

 private:
  std::set<NodeId> lost_;  // since Node::state_since
  std::vector<NodeId> purged_;
  std::size_t left_over_ = 0;
  Time looked_at_{0};
};

}  // namespace maui
