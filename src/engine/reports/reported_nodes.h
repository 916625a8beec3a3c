// Nodes as the resource managers report them: new ones, changed ones, and those that are reported
// no longer (NODEPURGETIME).
#pragma once
#include <functional>
#include <memory>
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

  /// Takes in the nodes of an answer, and calls `next`.
  void apply(std::shared_ptr<Update> update, std::function<void()> next);
  /// Logs which jobs and reservations have nodes that went down since this was called last.
  void log_lost();
  /// Forgets those that have been lost for NODEPURGETIME, and calls `next`.
  void resolve_lost(std::function<void()> next);
  /// Closes nodes to jobs, by their loads and where their states are not the ones expected.
  void judge();
  /// Makes a node known on which a job runs, whether or not it has been reported.
  void know_of(const std::string& name);
  /// The node is in that state, as a command has it.
  void set_state(NodeId node, NodeState state);
  /// Reads the last reports again, if the settings say something else of nodes than before.
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
