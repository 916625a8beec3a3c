// Nodes as the resource managers report them: new and changed nodes, and nodes that are no longer
// reported (NODEPURGETIME).
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "maui/node.h"
#include "maui/resource_manager.h"

namespace maui {

class ClockSteps;
class Cluster;
class GoneNodes;
class ManagerContact;
class NodeLoads;
class NodeReports;
class NodeSync;
class TouchedNodes;
struct EngineTools;
struct Settings;

class ReportedNodes {
 public:
  explicit ReportedNodes(const EngineTools& tools);

  /// Applies the nodes of an answer, then calls `next`; the answer must stay until then.
  void apply(Update& update, std::function<void()> next);
  /// Logs which jobs and reservations have nodes that went down since the last call.
  void log_lost();
  /// Purges nodes that have been lost for NODEPURGETIME, then calls `next`.
  void resolve_lost(std::function<void()> next);
  /// Closes nodes to jobs because of load or because their reported state is not the expected one.
  void judge();
  /// Adds a node on which a job runs, whether or not the node has been reported.
  void know_of(const std::string& name);
  /// Sets the state of the node, as changed by a command.
  void set_state(NodeId node, NodeState state);
  /// Applies the last reports anew if the settings that concern nodes have changed.
  void settings_changed(const Settings& old);

 private:
  void apply_node(NodeReport& report);
  void note_lost(const std::string& name);
  void note_state(NodeId node, NodeState before);
  void purge(NodeId node);

  const EngineTools& tools_;
  Cluster& cluster_;
  const Settings& settings_;
  const ManagerContact& managers_;
  const ClockSteps& clock_steps_;
  NodeReports& reports_;
  GoneNodes& gone_nodes_;
  TouchedNodes& touched_nodes_;
  NodeSync& node_sync_;
  NodeLoads& node_loads_;
  std::vector<NodeId>& nodes_lost_;  // in this iteration
};

}  // namespace maui
