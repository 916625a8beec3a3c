// Nodes whose reported state is not the expected one (NODESYNCTIME).
//
// Such a node takes no new jobs until the states agree, or until the resource manager has reported
// its state for so long that it is believed.  A node reported as busy stays closed, whatever
// resources the scheduler believes to be free there.
#pragma once
#include <string>
#include <vector>

#include "engine/reports/touched_nodes.h"
#include "maui/cluster.h"
#include "maui/rm_record.h"
#include "maui/settings/nodes.h"

namespace maui {

/// True if the node's reported state does not match the jobs on it.  Nodes of the resource managers
/// `up_only` may always be reported as idle or running.
bool unexpected(const Cluster& cluster, const Node& node, const std::vector<std::string>& up_only);

/// Names the resource managers that report nodes as idle or running whatever jobs are on them.
std::vector<std::string> up_only_of(const std::vector<RmRecord>& managers);

class NodeSync {
 public:
  /// Examines the reported nodes; only those in `touched` have changed since the last call.
  /// Returns the nodes that have been closed or opened.
  std::vector<NodeId> look(const Cluster& cluster, const NodeParameters& policy,
                           const std::vector<std::string>& up_only, Time now,
                           const Touched& touched);
  /// Shifts all times by a step of the clock.
  void shift(Seconds by) {
    for (Time& since : since_)
      if (since < kForever) since = since + by;
  }
  bool closes(NodeId node) const { return node.index() < closed_.size() && closed_[node.index()]; }

 private:
  void judge(const Cluster& cluster, NodeId id, const std::vector<std::string>& up_only, Time now);

  std::vector<Time> since_;  // by node; kForever: the states agree
  std::vector<char> closed_;
  std::vector<NodeId> doubted_;  // nodes whose states do not agree, and some others
};

}  // namespace maui
