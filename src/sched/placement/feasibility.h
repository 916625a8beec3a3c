// Could this node ever serve this requirement, whatever runs on it now?
// (guide 3.3.2.4: all node attributes specified by the job)
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "maui/cluster.h"
#include "sched/placement/node_reason.h"

namespace maui {

/// Why a node cannot serve a requirement for good, by its attributes and configured resources;
/// NodeReason::none if it could.  Says nothing of its state, of host lists or of other jobs.
NodeReason mismatch(const Cluster& cluster, NodeId node, const Request& request,
                    const Requirement& requirement);

/// Which kinds of node could serve it, indexed by kind.
std::vector<char> serving_kinds(const Cluster& cluster, const Request& request,
                                const Requirement& requirement);

/// How many tasks a node holds when nothing else is on it.
int capacity(const Cluster& cluster, NodeId node, const Request& request,
             const Requirement& requirement);

/// The partitions to try for a request one after the other, its default first.  One that may span
/// partitions has a single try, with no partition in particular.
std::vector<PartitionId> usable_partitions(const Cluster& cluster, const Request& request);
/// A try in that partition may use the nodes of this one.
inline bool in_reach(const Request& request, PartitionId of_node, PartitionId tried) {
  return of_node == tried || request.span;
}

/// Could the request be served by an empty cluster with all its nodes up?
bool ever_feasible(const Cluster& cluster, const Request& request);
/// The same of one of the job's shapes.
bool ever_feasible(const Cluster& cluster, const Job& job, const Request& request);
/// Says what the cluster lacks that the request, which is not feasible, asks for: "no node has
/// network 'myrinet'".
std::string lack_of(const Cluster& cluster, const Request& request);
/// The same as the reason of a hold (guide 11.1, No Resources).
HoldReason no_resources(const Cluster& cluster, const Request& request);

/// A job's request in one of its alternative shapes (task count and limit).
Request in_shape(const Request& request, const std::pair<int, Seconds>& shape);

}  // namespace maui
