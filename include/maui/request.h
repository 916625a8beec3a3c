// The resources that a job asks for: one or more requirements, for a limited time.
//
// A request holds everything that decides whether and where a job can run,
// except access to reservations.  The cluster interns requests: two jobs with
// the same RequestId get the same answers from the timeline.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "maui/node_set.h"
#include "maui/resources.h"
#include "maui/units.h"

namespace maui {

/// How a configured amount compares with the requested amount (guide 16.3, fields 16 and 18).
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

/// The tasks that may share a node (NODEACCESSPOLICY; guide 10, appendix F), each value stricter
/// than those before it: what it allows, they allow, too.
enum class NodeAccess : std::uint8_t {
  shared,       // tasks of several jobs
  single_user,  // tasks of one user's jobs
  dedicated,    // tasks of one job; also written SINGLEJOB
  single_task,  // one task
};

/// Returns the access that satisfies both.
constexpr NodeAccess stricter(NodeAccess a, NodeAccess b) { return a < b ? b : a; }

/// How a job shares its nodes with others.
struct JobAccess {
  /// On nodes without a rule of their own: NODEACCESSPOLICY, unless the job asks for something
  /// else, or the job or its QOS demands more.
  NodeAccess usual = NodeAccess::dedicated;
  /// The access that the job or its QOS demands on any node; `shared` if they demand nothing.
  NodeAccess demanded = NodeAccess::shared;
  friend bool operator==(const JobAccess&, const JobAccess&) = default;
};

/// Returns how the job shares a node: the node's own rule (NODECFG ACCESS), if it has one, takes
/// the place of NODEACCESSPOLICY, and the job still gets what it demands (guide 7.3.2.2,
/// DEDICATED).
constexpr NodeAccess access_on(std::optional<NodeAccess> rule, JobAccess job) {
  return rule ? stricter(*rule, job.demanded) : job.usual;
}

/// A request for a single type of resources (guide 3.2.1.1.1).
struct Requirement {
  Resources per_task{1};  // the task definition, class initiators included
  int tasks = 1;
  int least_nodes = 0;  // minimum number of nodes, a task on each; 0: as few as needed
  int nodes = 0;        // maximum number of nodes; 0: no maximum
  bool exact_nodes =
      false;  // exactly `nodes` nodes, with evenly spread tasks (JOBNODEMATCHPOLICY EXACTNODE)
  int tasks_per_node = 0;  // exact number of tasks on each node; 0: as many as fit
  /// The resource manager fills the chosen nodes in the order in which it reports them, and keeps
  /// one task for each node that follows.
  bool packed = false;
  NodeId host;                                          // the only node; invalid: any
  ClassId job_class;                                    // nodes must offer this class
  Bound memory, disk, swap, procs;                      // bounds on the node's configured amounts
  std::vector<FeatureId> features;                      // nodes must have all of them; sorted
  std::string network, architecture, operating_system;  // empty: any
  /// True if the number of tasks on each node matters, not only their total.
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
  Seconds limit{1};  // wallclock limit: how long the job needs the resources
  JobAccess access;
  HostListUse host_list_use = HostListUse::none;
  bool apart = false;                   // no node serves two requirements
  std::vector<NodeId> host_list;        // sorted
  std::vector<NodeId> excluded;         // nodes that the job must not use; sorted
  std::vector<PartitionId> partitions;  // partitions that the job may use; empty: any.  Sorted
  PartitionId first_partition;          // tried before the others; invalid: none is
  bool span = false;                    // the job may span several partitions
  std::vector<FeatureId> qos_features;  // required of every node, too (QOSFEATURES); sorted
  std::optional<NodeSet> node_set;      // node set to confine the job to (guide 8.3)
  bool by_speed =
      false;  // the limit is for speed 1 and scales with a node's speed (USEMACHINESPEED)
  friend bool operator==(const Request&, const Request&) = default;

  /// Returns the limit on a node of that speed (guide 12.2, SPEED), in whole seconds.
  Seconds limit_at(double speed) const;
  /// True if the host list contains the node.
  bool lists(NodeId node) const;
  /// True if neither the host list nor the excluded nodes rule the node out.
  bool may_use(NodeId node) const;
  /// True if, in addition, the requirement names this node as its host or names no host.
  bool may_use(NodeId node, const Requirement& requirement) const {
    return may_use(node) && (!requirement.host.valid() || requirement.host == node);
  }
  /// True if the identity of nodes matters, not only their attributes.
  bool names_nodes() const;
  /// True if any processors of shared nodes of one kind serve the job, however they are spread.
  bool takes_any_procs() const {
    return access.usual == NodeAccess::shared && requirements.size() == 1 && !names_nodes() &&
           !requirements.front().shaped() && requirements.front().per_task == Resources(1);
  }
  int total_tasks() const;
  int total_procs() const {  // inline: asked about every waiting job
    std::int64_t total = 0;
    for (const Requirement& requirement : requirements)
      total += std::int64_t{requirement.tasks} * requirement.per_task.procs();
    return static_cast<int>(std::clamp<std::int64_t>(total, std::numeric_limits<int>::min(),
                                                     std::numeric_limits<int>::max()));
  }
  /// Returns the sum of the requested node counts; 0 if none is requested.
  int nodes_named() const;
};

}  // namespace maui
