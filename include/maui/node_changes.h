// Which nodes have changed, for readers that keep something about nodes and bring it up to date
// when they need it.
//
// Each change of a node has a revision of its own, and revisions only grow.  A reader remembers the
// revision up to which it has read and asks what came after it; how many readers there are, and how
// often they ask, is no matter here.  Nodes that change one after the other are one row.  Rows that
// are old are forgotten, so that the memory is bounded: a reader from before that is told so, and
// takes everything for changed.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "maui/node_run.h"
#include "maui/units.h"

namespace maui {

class NodeChanges {
 public:
  using Revision = std::uint64_t;

  /// That of the last change; 0: there was none.
  Revision revision() const { return revision_; }
  void note(NodeId node) { note(NodeRun{node.raw(), node.raw() + 1}); }
  void note(NodeRun nodes);
  /// The nodes that have changed after `revision`, each once, in order; nothing if it is too old to
  /// tell: any node may have changed.
  std::optional<std::vector<NodeRun>> since(Revision revision) const;
  /// Rows that are kept at least.
  static constexpr std::size_t kKept = 4096;

 private:
  /// The first node has the revision `before` + 1, each other one the next.
  struct Row {
    NodeRun nodes;
    Revision before = 0;
  };

  Revision revision_ = 0;
  std::deque<Row> rows_;
};

}  // namespace maui
