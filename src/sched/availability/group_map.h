// The group of each node, stored by segments of nodes: looking up and assigning a segment cost the
// same for any length.
//
// A hierarchy of bit sets, 64 bits to a word, marks the nodes at which segments begin, so that
// finding the segment of a node takes one step for each level.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/node_runs.h"

namespace maui::availability {

class GroupMap {
 public:
  struct Segment {
    NodeRun nodes;
    std::uint32_t group = 0;
  };

  /// Resets the map to `nodes` nodes, all in one group.
  void begin(std::uint32_t nodes, std::uint32_t group);
  std::uint32_t nodes() const { return nodes_; }
  /// Returns the segment of the node; adjoining segments may have the same group.
  Segment segment_of(std::uint32_t node) const;
  std::uint32_t group_of(std::uint32_t node) const { return segment_of(node).group; }
  /// Calls visit(segment) for each segment of the run in order until it returns false; returns
  /// false in that case.
  template <class Visit>
  bool each_segment(NodeRun run, Visit visit) const {
    for (auto node = run.first; node < run.end;) {
      const auto segment = segment_of(node);
      const NodeRun here{node, std::min(run.end, segment.nodes.end)};
      if (!visit(Segment{here, segment.group})) return false;
      node = here.end;
    }
    return true;
  }
  /// Assigns these nodes to the group.
  void assign(NodeRun nodes, std::uint32_t group);

 private:
  void mark(std::uint32_t node);
  void unmark(std::uint32_t node);
  bool marked(std::uint32_t node) const;
  /// Returns the beginning of the node's segment.
  std::uint32_t beginning_before(std::uint32_t node) const;
  /// Returns the beginning of the next segment; nodes() if there is none.
  std::uint32_t beginning_after(std::uint32_t node) const;

  std::uint32_t nodes_ = 0;
  std::vector<std::vector<std::uint64_t>> levels_;  // a set bit: the word below has a set bit
  std::vector<std::uint32_t> group_;                // by node; valid where a segment begins
};

}  // namespace maui::availability
