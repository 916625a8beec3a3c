// A set of nodes as sorted disjoint runs of node numbers, with its size.
//
// On nearly every machine equal nodes have adjacent numbers, so a set of thousands of nodes is a
// few runs, and the cost of an operation depends on the runs instead of the nodes.  Adjoining runs
// are joined: equal sets have equal runs.
#pragma once
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <span>
#include <utility>

#include "maui/node_run.h"

namespace maui {

class NodeRuns {
 public:
  NodeRuns() = default;
  NodeRuns(const NodeRuns&) = default;
  NodeRuns& operator=(const NodeRuns&) = default;
  NodeRuns(NodeRuns&&) noexcept = default;  // as in Resources
  NodeRuns& operator=(NodeRuns&&) noexcept = default;
  explicit NodeRuns(NodeRun run) { add(run); }

  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::span<const NodeRun> runs() const { return {runs_.data(), runs_.size()}; }
  bool contains(std::uint32_t node) const;
  /// Returns the run that contains the node.  Requires contains(node).
  NodeRun run_of(std::uint32_t node) const;

  void clear();
  void add(NodeRun run);
  void add(const NodeRuns& others);
  void remove(NodeRun run);
  void remove(const NodeRuns& others);

  /// Returns the nodes that are in both sets.
  NodeRuns common(const NodeRuns& others) const;
  /// Returns the number of nodes that are in both sets.
  int common_size(const NodeRuns& others) const;
  /// Return the `count` lowest or highest nodes.  Require that there are as many.
  NodeRuns lowest(int count) const;
  NodeRuns highest(int count) const;

  friend bool operator==(const NodeRuns&, const NodeRuns&) = default;

 private:
  using Runs = boost::container::small_vector<NodeRun, 1>;  // most sets have one run

  /// Returns the runs that overlap or adjoin [first, end).
  std::pair<Runs::iterator, Runs::iterator> between(std::uint32_t first, std::uint32_t end);
  /// Puts other runs in the place of [from, to).
  void replace(Runs::iterator from, Runs::iterator to, const Runs& with);

  Runs runs_;
  int size_ = 0;
};

}  // namespace maui
