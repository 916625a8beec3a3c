// A log of changed nodes, for readers that cache data about nodes and bring it up to date when they
// need it.
//
// Each change of a node has its own revision number, and revisions only grow.  A reader keeps the
// revision up to which it has read and asks for the later changes; the log does not depend on the
// number of readers or on how often they ask.  Changes of consecutive nodes in sequence share a
// row.  The log drops old rows to bound its memory: since() returns nullopt to a reader that is too
// far behind, and that reader must treat every node as changed.
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

  /// The revision of the last change; 0 before the first.
  Revision revision() const { return revision_; }
  void note(NodeId node) { note(NodeRun{node.raw(), node.raw() + 1}); }
  void note(NodeRun nodes);
  /// Returns the nodes that changed after `revision`, each once, in order; nullopt if the log does
  /// not reach back that far, so that any node may have changed.
  std::optional<std::vector<NodeRun>> since(Revision revision) const;
  /// The minimum number of rows that the log keeps.
  static constexpr std::size_t kKept = 4096;

 private:
  /// The first node's change has the revision `before` + 1; each following node's, the next.
  struct Row {
    NodeRun nodes;
    Revision before = 0;
  };

  Revision revision_ = 0;
  std::deque<Row> rows_;
};

}  // namespace maui
