// Whether a node could ever serve a requirement, regardless of what runs on it now (guide 3.3.2.4:
// all node attributes specified by the job).
#pragma once
#include <boost/container/small_vector.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "maui/cluster.h"
#include "sched/placement/node_reason.h"

namespace maui {

struct StartJob;

/// Returns why a node can never serve a requirement, by its attributes and configured resources;
/// NodeReason::none if it could.  Ignores the node's state, host lists and other jobs.
NodeReason mismatch(const Cluster& cluster, NodeId node, const Request& request,
                    const Requirement& requirement);

/// Returns which kinds of node could serve the requirement, indexed by kind.
std::vector<char> serving_kinds(const Cluster& cluster, const Request& request,
                                const Requirement& requirement);

/// Returns how many tasks an empty node holds.
int capacity(const Cluster& cluster, NodeId node, const Request& request,
             const Requirement& requirement);

/// True if the request may use the node's partition.
bool in_partition(const Request& request, const Node& node);

/// With TasksPerNode, every node except perhaps one takes exactly that many tasks; returns how many
/// that one takes.
int fewest_on_a_node(const Requirement& requirement);

/// Returns, for each kind, the number of listed hosts that may serve, or of all its nodes where no
/// hosts are listed, without excluded hosts.
std::vector<int> nodes_to_ask(const Cluster& cluster, const Request& request);

using Partitions = boost::container::small_vector<PartitionId, 4>;

/// Returns the partitions with nodes to try for a request, in order, its default first.  A request
/// that may span partitions has a single try, with an invalid partition.
Partitions usable_partitions(const Cluster& cluster, const Request& request);
/// True if a try in the partition `tried` may use nodes of the partition `of_node`.
inline bool in_reach(const Request& request, PartitionId of_node, PartitionId tried) {
  return of_node == tried || request.span;
}

struct Feasibility {
  bool feasible = false;
  std::int64_t effort = 0;  // that finding out took beyond what every request takes
};
/// Judges whether an empty cluster with all its nodes up could serve the request.
Feasibility judge_feasibility(const Cluster& cluster, const Request& request);
/// True if it could.
bool ever_feasible(const Cluster& cluster, const Request& request);
/// True if an empty cluster could serve the request in one of the job's shapes.
bool ever_feasible(const Cluster& cluster, const Job& job, const Request& request);
/// True if the request is feasible, but not on the nodes that may start jobs now: it needs nodes
/// that are down or drained.
bool needs_lost_nodes(const Cluster& cluster, const Job& job, const Request& request);
/// Says how many of the nodes that could serve the request are lost: "4 of 4 nodes are down".
std::string lost_nodes(const Cluster& cluster, const Request& request);
/// Returns a job's request in one of its alternative shapes (task count and limit).
Request in_shape(const Request& request, const std::pair<int, Seconds>& shape);
/// Returns the job's request in the shape in which the plan starts it.
Request started_request(const Cluster& cluster, const StartJob& start);

/// Returns the request confined to so many nodes in all; nullopt if it names numbers of nodes or of
/// tasks on each that rule this out, or has several requirements.
std::optional<Request> on_at_most(const Request& request, int nodes);

}  // namespace maui
