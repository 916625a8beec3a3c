// The nodes on which a job runs or will run.
#pragma once
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <span>
#include <vector>

#include "maui/node_run.h"
#include "maui/units.h"

namespace maui {

/// Tasks of one requirement on one node.
struct NodeTasks {
  NodeId node;
  std::int32_t tasks = 0;
  std::uint32_t requirement = 0;  // index into Request::requirements
  friend bool operator==(const NodeTasks&, const NodeTasks&) = default;
};

/// The nodes of a job with the tasks on each, in the order in which they were chosen.  A node
/// occurs once for each requirement that it serves.  Neighbouring nodes with equally many tasks
/// form one part, so thousands of equal nodes cost as little as one.  A placement reads like a list
/// of NodeTasks; the iterator makes each element on demand.
class Placement {
 public:
  struct Part {
    NodeRun nodes;
    std::int32_t tasks = 0;  // on each node
    std::uint32_t requirement = 0;
    bool downwards = false;  // the last node was chosen first; false for a single node

    NodeTasks share(std::uint32_t at) const {
      return {NodeId(downwards ? nodes.end - 1 - at : nodes.first + at), tasks, requirement};
    }
    friend bool operator==(const Part&, const Part&) = default;
  };

  class const_iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = NodeTasks;
    using difference_type = std::ptrdiff_t;
    using reference = NodeTasks;
    struct pointer {
      NodeTasks share;
      const NodeTasks* operator->() const { return &share; }
    };

    const_iterator() = default;
    explicit const_iterator(const Part* part) : part_(part) {}
    NodeTasks operator*() const { return part_->share(at_); }
    pointer operator->() const { return {**this}; }
    const_iterator& operator++() {
      if (++at_ == part_->nodes.end - part_->nodes.first) {
        ++part_;
        at_ = 0;
      }
      return *this;
    }
    const_iterator operator++(int) {
      const_iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const const_iterator&, const const_iterator&) = default;

   private:
    const Part* part_ = nullptr;
    std::uint32_t at_ = 0;
  };
  using iterator = const_iterator;
  using value_type = NodeTasks;
  using const_reference = NodeTasks;

  Placement() = default;
  Placement(std::initializer_list<NodeTasks> shares) : Placement(shares.begin(), shares.end()) {}
  template <class Iterator>
  Placement(Iterator first, Iterator end) {
    for (; first != end; ++first) push_back(*first);
  }

  bool empty() const { return parts_.empty(); }
  /// The number of NodeTasks in the list.
  std::size_t size() const { return size_; }
  std::span<const Part> parts() const { return parts_; }
  const_iterator begin() const { return const_iterator(parts_.data()); }
  const_iterator end() const { return const_iterator(parts_.data() + parts_.size()); }
  NodeTasks front() const { return parts_.front().share(0); }

  void clear() { *this = {}; }
  void push_back(const NodeTasks& share) {
    add({{share.node.raw(), share.node.raw() + 1}, share.tasks, share.requirement});
  }
  /// Requires at least one node.
  void add(const Part& part);
  void add(const Placement& others) {
    for (const Part& part : others.parts_) add(part);
  }

  friend bool operator==(const Placement&, const Placement&) = default;

 private:
  bool extend(const Part& part);

  // Each part is as long as possible, so that equal lists have equal parts.
  std::vector<Part> parts_;
  std::size_t size_ = 0;
};

}  // namespace maui
