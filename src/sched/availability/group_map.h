// Which group each node is in, kept by segments of nodes: looking up and assigning a segment cost
// the same however long it is.
//
// The nodes at which a segment begins stand in a hierarchy of bit sets, 64 to a word, so that the
// segment of any node is found in one step a level.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "sched/availability/node_runs.h"

namespace maui::availability {

class GroupMap {
 public:
  struct Segment {
    NodeRun nodes;
    std::uint32_t group = 0;
  };

  /// Begins with `nodes` nodes, all of one group.
  void begin(std::uint32_t nodes, std::uint32_t group);
  std::uint32_t nodes() const { return nodes_; }
  /// The segment that the node is in; its neighbours may be of the same group.
  Segment segment_of(std::uint32_t node) const;
  std::uint32_t group_of(std::uint32_t node) const { return segment_of(node).group; }
  /// Calls visit(segment) for the nodes of the run, one segment after the other, until it returns
  /// false, which is then returned.
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
  /// These nodes are of that group from now on.
  void assign(NodeRun nodes, std::uint32_t group);

 private:
  void mark(std::uint32_t node);
  void unmark(std::uint32_t node);
  bool marked(std::uint32_t node) const;
  /// The last beginning at or before the node, and the first one after it; nodes() if none.
  std::uint32_t beginning_before(std::uint32_t node) const;
  std::uint32_t beginning_after(std::uint32_t node) const;

  std::uint32_t nodes_ = 0;
  std::vector<std::vector<std::uint64_t>> levels_;  // a bit of each: the word below has some
  std::vector<std::uint32_t> group_;                // by node; true where a segment begins
};

}  // namespace maui::availability
