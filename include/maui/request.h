// The resources that a job asks for: one or more requirements, for a limited time.
//
// Everything here bears on whether and where a job can run, and nothing else
// does (but for access to reservations).  Requests are interned by the cluster:
// two jobs with the same RequestId get the same answers from the timeline.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "maui/node_set.h"
#include "maui/resources.h"
#include "maui/units.h"

namespace maui {

/// How a configured amount is compared with the one asked for (guide 16.3, fields 16 and 18).
/// `any` is release 3.3's NC: no comparison.
enum class Comparison : std::uint8_t { any, less, at_most, equal, at_least, more };

struct Bound {
  Comparison compare = Comparison::any;
  Resources::Quantity amount = 0;
  bool admits(Resources::Quantity configured) const {
    return compare == Comparison::any || holds_for(configured);
  }
  friend bool operator==(const Bound&, const Bound&) = default;

 private:
  bool holds_for(Resources::Quantity configured) const;
};

/// The tasks that may share a node (NODEACCESSPOLICY; guide 10, appendix F).
enum class NodeAccess : std::uint8_t {
  shared,       // tasks of several jobs
  dedicated,    // tasks of one job; also written SINGLEJOB
  single_user,  // tasks of one user's jobs
  single_task,  // one task
};

/// A request for a single type of resources (guide 3.2.1.1.1).
struct Requirement {
  Resources per_task{1};  // the task definition, class initiators included
  int tasks = 1;
  int least_nodes = 0;  // at least so many nodes, a task on each; 0: as few as will do
  int nodes = 0;        // at most so many nodes; 0: as many as there are
  bool exact_nodes =
      false;  // exactly so many nodes, tasks spread evenly (JOBNODEMATCHPOLICY EXACTNODE)
  int tasks_per_node = 0;  // exactly so many tasks on each node; 0: as many as fit
  /// Its resource manager fills the nodes that are chosen in the order in which it reports them,
  /// leaving one task for each that follows.
  bool packed = false;
  NodeId host;                                          // the only node; invalid: any
  ClassId job_class;                                    // nodes must offer this class
  Bound memory, disk, swap, procs;                      // on what the node has configured
  std::vector<FeatureId> features;                      // all of them; sorted
  std::string network, architecture, operating_system;  // empty: any
  /// It matters how many tasks are on which node, not only how many there are.
  bool shaped() const { return packed || least_nodes > 1 || nodes > 0 || tasks_per_node > 0; }
  friend bool operator==(const Requirement&, const Requirement&) = default;
};

/// How a host list binds (guide 16.3, field 40).
enum class HostListUse : std::uint8_t {
  none,
  all_of,   // at least as many tasks as hosts: these hosts, in addition to others
  some_of,  // fewer tasks than hosts: select the needed hosts from the list
};

struct Request {
  std::vector<Requirement> requirements{1};
  Seconds limit{1};  // wallclock limit: how long the resources are needed
  NodeAccess access = NodeAccess::dedicated;
  HostListUse host_list_use = HostListUse::none;
  bool apart = false;                   // each requirement has nodes of its own
  std::vector<NodeId> host_list;        // sorted
  std::vector<NodeId> excluded;         // sorted; never these nodes
  std::vector<PartitionId> partitions;  // where the job may run; empty: anywhere.  Sorted
  PartitionId first_partition;          // tried before the others; none: all alike
  bool span = false;                    // nodes of several partitions together will do
  std::vector<FeatureId> qos_features;  // every node has these, too (QOSFEATURES); sorted
  std::optional<NodeSet> node_set;      // nodes with something in common (guide 8.3)
  bool by_speed =
      false;  // the limit is for a node of speed 1, and others' in proportion (USEMACHINESPEED)
  friend bool operator==(const Request&, const Request&) = default;

  /// The limit on a node of that speed (guide 12.2, SPEED), in whole seconds.
  Seconds limit_at(double speed) const;
  /// The host list names this node.
  bool lists(NodeId node) const;
  /// Neither the host list nor what is excluded keeps the request from the node.
  bool may_use(NodeId node) const;
  /// The same, and the host that the requirement names, if any, is this node.
  bool may_use(NodeId node, const Requirement& requirement) const {
    return may_use(node) && (!requirement.host.valid() || requirement.host == node);
  }
  /// Which node it is matters beside what the node is.
  bool names_nodes() const;
  int total_tasks() const;
  int total_procs() const;
  /// The sum of the node counts asked for; 0 where there is none.
  int nodes_named() const;
};

}  // namespace maui
