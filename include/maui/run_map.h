// A value for each node, stored once for neighbouring nodes with equal values.
//
// Changing the values of a run takes a step per distinct value in it, not per node, except that
// where a run is split or joined, a row number is written for each node of the smaller part.
// References to values are valid until the next change.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "maui/node_run.h"

namespace maui {

template <class T>
class RunMap {
 public:
  std::uint32_t size() const { return static_cast<std::uint32_t>(row_of_.size()); }
  const T& operator[](std::uint32_t node) const { return rows_[row_of_[node]].value; }
  /// Returns the run of nodes around `node` that share its value.
  NodeRun run_of(std::uint32_t node) const { return rows_[row_of_[node]].nodes; }
  /// Calls see(run, value) for each run of equal values among `nodes`, in order.
  template <class See>
  void each(NodeRun nodes, See see) const {
    for (std::uint32_t at = nodes.first; at < nodes.end;) {
      const Row& row = rows_[row_of_[at]];
      const NodeRun run{at, std::min(nodes.end, row.nodes.end)};
      at = run.end;
      see(run, row.value);
    }
  }

  /// Appends a node.
  void push_back(T value) {
    const std::uint32_t node = size();
    row_of_.push_back(add_row({{node, node + 1}, std::move(value)}));
    join_at(node);
  }
  /// Calls change(run, value) for each run of equal values among `nodes`, in order.  The callback
  /// may change the value, but nothing else in this map.
  template <class Change>
  void change(NodeRun nodes, Change change) {
    if (nodes.first == nodes.end) return;
    split_at(nodes.first);
    split_at(nodes.end);
    for (std::uint32_t at = nodes.first; at < nodes.end;) {
      Row& row = rows_[row_of_[at]];
      at = row.nodes.end;
      change(row.nodes, row.value);
    }
    for (std::uint32_t at = nodes.first; at <= nodes.end && at < size();) {
      const std::uint32_t next = rows_[row_of_[at]].nodes.end;
      join_at(at);
      at = next;
    }
  }

 private:
  struct Row {
    NodeRun nodes;
    T value;
  };

  std::uint32_t add_row(Row row) {
    if (free_.empty()) {
      rows_.push_back(std::move(row));
      return static_cast<std::uint32_t>(rows_.size() - 1);
    }
    const std::uint32_t made = free_.back();
    free_.pop_back();
    rows_[made] = std::move(row);
    return made;
  }
  void name(NodeRun nodes, std::uint32_t row) {
    std::fill(row_of_.begin() + nodes.first, row_of_.begin() + nodes.end, row);
  }
  /// Makes a run begin at `node`.
  void split_at(std::uint32_t node) {
    if (node == 0 || node >= size() || row_of_[node - 1] != row_of_[node]) return;
    const std::uint32_t old = row_of_[node];
    const NodeRun all = rows_[old].nodes, before{all.first, node}, after{node, all.end};
    const bool keeps_first = before.size() >= after.size();
    const NodeRun small = keeps_first ? after : before;
    const std::uint32_t made = add_row({small, rows_[old].value});
    rows_[old].nodes = keeps_first ? before : after;
    name(small, made);
  }
  /// Joins the runs before and at `node` if their values are equal.
  void join_at(std::uint32_t node) {
    if (node == 0) return;
    std::uint32_t large = row_of_[node - 1], small = row_of_[node];
    if (large == small || !(rows_[large].value == rows_[small].value)) return;
    const NodeRun all{rows_[large].nodes.first, rows_[small].nodes.end};
    if (rows_[large].nodes.size() < rows_[small].nodes.size()) std::swap(large, small);
    name(rows_[small].nodes, large);
    rows_[large].nodes = all;
    rows_[small] = {};
    free_.push_back(small);
  }

  std::vector<std::uint32_t> row_of_;  // by node
  std::vector<Row> rows_;
  std::vector<std::uint32_t> free_;
};

}  // namespace maui
