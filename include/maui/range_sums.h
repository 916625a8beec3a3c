// A sum per node that supports additions to whole runs of nodes.
//
// A binary indexed tree of differences: an addition to a run and a query of a node each take a
// number of steps that is logarithmic in the number of nodes, whatever the length of the run.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "maui/node_run.h"

namespace maui {

class RangeSums {
 public:
  /// Appends a node with the sum 0.
  void push_back() {
    ++nodes_;
    while (nodes_ + 1 >= tree_.size()) grow();  // a run of all nodes ends at the next index
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
  /// The tree's size is a power of two plus one, so that doubling it preserves all entries: only
  /// the new last entry sums old ones.
  void grow() {
    const std::int64_t all = tree_.empty() ? 0 : tree_.back();
    tree_.resize(tree_.empty() ? 2 : 2 * (tree_.size() - 1) + 1, 0);
    tree_.back() = all;
  }

  std::size_t nodes_ = 0;
  std::vector<std::int64_t> tree_;  // entries from index 1
};

}  // namespace maui
