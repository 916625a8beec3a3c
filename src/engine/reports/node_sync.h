// Nodes whose state as the resource manager reports it is not the one expected (NODESYNCTIME).
//
// Such a node takes no new jobs until the states agree, or the resource manager
// has insisted for so long that it is believed.  A node that it calls busy stays
// closed, whatever the scheduler thinks to be free there.
#pragma once
#include <string>
#include <vector>

#include "engine/reports/touched_nodes.h"
#include "maui/cluster.h"
#include "maui/rm_record.h"
#include "maui/settings/nodes.h"

namespace maui {

/// By what runs on it, the node should not be reported as it is.  Of nodes of the resource managers
/// `up_only`, idle and running are expected always.
bool unexpected(const Cluster& cluster, const Node& node, const std::vector<std::string>& up_only);

/// Names those that call nodes idle or running without regard to their jobs.
std::vector<std::string> up_only_of(const std::vector<RmRecord>& managers);

class NodeSync {
 public:
  /// As the nodes are reported now; nothing has changed since but on those that are `touched`.
  /// Returns the nodes that are closed, or are so no longer.
  std::vector<NodeId> look(const Cluster& cluster, const NodeParameters& policy,
                           const std::vector<std::string>& up_only, Time now,
                           const Touched& touched);
  /// The clock was set.
  void shift(Seconds by) {
    for (Time& since : since_)
      if (since < kForever) since = since + by;
  }
  bool closes(NodeId node) const { return node.index() < closed_.size() && closed_[node.index()]; }

 private:
  void judge(const Cluster& cluster, NodeId id, const std::vector<std::string>& up_only, Time now);

  std::vector<Time> since_;  // by node; kForever: both agree
  std::vector<char> closed_;
  std::vector<NodeId> doubted_;  // those that do not agree, and some more
};

}  // namespace maui
