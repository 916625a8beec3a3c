// A sum for each node, to which something is added for whole runs of nodes.
//
// A binary indexed tree of differences: to add to a run, or to ask for one node, takes as many
// steps as the number of nodes has digits, however long the run is.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "maui/node_run.h"

namespace maui {

class RangeSums {
 public:
  /// One node more, with nothing.
  void push_back() {
    ++nodes_;
    while (nodes_ + 1 >= tree_.size()) grow();  // a run of all ends at the next node
  }
  void add(NodeRun nodes, std::int64_t amount) {
    change(nodes.first, amount);
    change(nodes.end, -amount);
  }
  std::int64_t at(std::uint32_t node) const {
    std::int64_t sum = 0;
    for (std::size_t i = node + std::size_t{1}; i > 0; i &= i - 1) sum += tree_[i];
    return sum;
  }

 private:
  void change(std::size_t from, std::int64_t amount) {
    for (std::size_t i = from + 1; i < tree_.size(); i += i & (~i + 1)) tree_[i] += amount;
  }
  /// The tree has a power of two of places and one, so that doubling it leaves what stands there:
  /// the new last place alone sums old ones.
  void grow() {
    const std::int64_t all = tree_.empty() ? 0 : tree_.back();
    tree_.resize(tree_.empty() ? 2 : 2 * (tree_.size() - 1) + 1, 0);
    tree_.back() = all;
  }

  std::size_t nodes_ = 0;
  std::vector<std::int64_t> tree_;  // from 1 on
};

}  // namespace maui
