#include "sched/placement/feasibility.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/sorted.h"
#include "base/text.h"
#include "maui/initiators.h"
#include "maui/plan.h"
#include "sched/placement/node_sets.h"
#include "sched/placement/requirement_fit.h"

namespace maui {
namespace {

bool names_it(const std::string& wanted, const std::string& there) {
  return wanted.empty() || wanted == there;
}

bool offers_class(const Cluster& cluster, const Node& node, ClassId job_class) {
  if (!job_class.valid()) return true;
  auto initiator = cluster.find_initiator(job_class);
  if (!initiator.valid())
    initiator = cluster.consumables.find(initiator_name(cluster.classes[job_class]));
  return !initiator.valid() || node.configured.get(initiator) > 0;
}

// Returns the first of the task's consumables that the node lacks, as a reason.
NodeReason short_of(const Node& node, const Resources& task) {
  if (node.configured.procs() < task.procs()) return NodeReason::cpu;
  if (node.configured.memory() < task.memory()) return NodeReason::memory;
  if (node.configured.swap() < task.swap()) return NodeReason::swap;
  if (node.configured.disk() < task.disk()) return NodeReason::disk;
  return NodeReason::resources;
}

}  // namespace

int fewest_on_a_node(const Requirement& requirement) {
  if (requirement.tasks_per_node == 0) return 1;
  const int rest = requirement.tasks % requirement.tasks_per_node;
  return rest > 0 ? rest : requirement.tasks_per_node;
}

bool in_partition(const Request& request, const Node& node) {
  return request.partitions.empty() ||
         std::binary_search(request.partitions.begin(), request.partitions.end(), node.partition);
}

NodeReason mismatch(const Cluster& cluster, NodeId id, const Request& request,
                    const Requirement& requirement) {
  const Node& node = cluster.node(id);
  if (!in_partition(request, node)) return NodeReason::partition;
  if (!offers_class(cluster, node, requirement.job_class)) return NodeReason::job_class;
  if (!names_it(requirement.operating_system, node.operating_system)) return NodeReason::opsys;
  if (!names_it(requirement.architecture, node.architecture)) return NodeReason::architecture;
  if (!requirement.network.empty() && std::find(node.networks.begin(), node.networks.end(),
                                                requirement.network) == node.networks.end())
    return NodeReason::network;
  if (!std::includes(node.features.begin(), node.features.end(), requirement.features.begin(),
                     requirement.features.end()))
    return NodeReason::features;
  if (!std::includes(node.features.begin(), node.features.end(), request.qos_features.begin(),
                     request.qos_features.end()))
    return NodeReason::features;
  if (!requirement.memory.admits(node.configured.memory())) return NodeReason::memory;
  if (!requirement.disk.admits(node.configured.disk())) return NodeReason::disk;
  if (!requirement.swap.admits(node.configured.swap())) return NodeReason::swap;
  if (!requirement.procs.admits(node.configured.procs())) return NodeReason::cpu;
  const auto holds = node.configured.tasks_of(requirement.per_task);
  if (holds < 1) return short_of(node, requirement.per_task);
  return holds < fewest_on_a_node(requirement) ? NodeReason::cpu : NodeReason::none;
}

std::vector<char> serving_kinds(const Cluster& cluster, const Request& request,
                                const Requirement& requirement) {
  std::vector<char> serving(cluster.kinds());
  for (std::uint32_t kind = 0; kind < cluster.kinds(); ++kind)
    serving[kind] =
        mismatch(cluster, cluster.sample_of_kind(kind), request, requirement) == NodeReason::none;
  return serving;
}

int capacity(const Cluster& cluster, NodeId id, const Request& request,
             const Requirement& requirement) {
  if (mismatch(cluster, id, request, requirement) != NodeReason::none) return 0;
  const Node& node = cluster.node(id);
  if (access_on(node.policy.access, request.access) == NodeAccess::single_task) return 1;
  return node.configured.tasks_of(requirement.per_task);
}

Partitions usable_partitions(const Cluster& cluster, const Request& request) {
  if (request.span) return {PartitionId()};
  // Partitions without nodes are left out: users may name any number of these.
  const auto with_nodes = cluster.partitions_with_nodes();
  Partitions all;
  if (request.partitions.empty())
    all.assign(with_nodes.begin(), with_nodes.end());
  else
    std::set_intersection(with_nodes.begin(), with_nodes.end(), request.partitions.begin(),
                          request.partitions.end(), std::back_inserter(all));
  const auto first = std::find(all.begin(), all.end(), request.first_partition);
  if (first != all.end()) std::rotate(all.begin(), first, first + 1);
  return all;
}

// Makes one pass over the lists, since users may make them very long.
std::vector<int> nodes_to_ask(const Cluster& cluster, const Request& request) {
  std::vector<int> nodes(cluster.kinds());
  const auto count = [&](NodeId node) -> int& { return nodes[cluster.occupancy(node).kind]; };
  if (request.host_list_use == HostListUse::some_of) {
    for (const NodeId host : request.host_list)
      if (request.may_use(host)) ++count(host);
    return nodes;
  }
  for (std::uint32_t kind = 0; kind < nodes.size(); ++kind)
    nodes[kind] = cluster.nodes_of_kind(kind);
  for (const NodeId node : request.excluded) --count(node);
  return nodes;
}

namespace {

/// True if the tasks of a request can be on as many nodes as its host list demands.
bool reaches_all_hosts(const Request& request) {
  if (request.host_list_use != HostListUse::all_of || request.requirements.size() != 1) return true;
  const auto& wanted = request.requirements.front();
  const auto hosts = std::ssize(request.host_list);
  const int each = std::max(wanted.tasks_per_node, 1);
  return hosts <= (wanted.tasks + each - 1) / each && (wanted.nodes == 0 || hosts <= wanted.nodes);
}

/// Returns the kinds that have nodes.  Kinds with more nodes than the average come first, since
/// they usually suffice.
std::vector<std::uint32_t> kinds_by_nodes(const std::vector<int>& nodes) {
  std::vector<std::uint32_t> kinds;
  long long all = 0;
  for (std::uint32_t kind = 0; kind < nodes.size(); ++kind) {
    if (nodes[kind] > 0) kinds.push_back(kind);
    all += nodes[kind];
  }
  const auto many = [&](std::uint32_t kind) {
    return nodes[kind] * static_cast<long long>(kinds.size()) > all;
  };
  std::partition(kinds.begin(), kinds.end(), many);
  return kinds;
}

// True if the request is feasible within these kinds (empty: all kinds); no request can tell apart
// the nodes of a kind.
bool feasible_within(const Cluster& cluster, const Request& request, const KindMask& kinds) {
  if (!reaches_all_hosts(request)) return false;
  const auto may_serve = [&](std::uint32_t kind, PartitionId partition) {
    return in_reach(request, cluster.node(cluster.sample_of_kind(kind)).partition, partition) &&
           (kinds.empty() || kinds[kind]);
  };
  const auto nodes = nodes_to_ask(cluster, request);
  const auto in_turn = kinds_by_nodes(nodes);
  const auto serves = [&](const Requirement& requirement, PartitionId partition) {
    Need need(requirement);
    if (const auto host = requirement.host; host.valid()) {
      if (may_serve(cluster.occupancy(host).kind, partition) && request.may_use(host))
        need.offer(capacity(cluster, host, request, requirement));
      return need.met();
    }
    const bool by_sum = !requirement.shaped();
    for (const auto kind : in_turn) {
      if (by_sum && need.met()) break;
      if (!may_serve(kind, partition)) continue;
      need.offer(capacity(cluster, cluster.sample_of_kind(kind), request, requirement),
                 nodes[kind]);
    }
    if (!need.met()) return false;
    if (request.host_list_use != HostListUse::all_of) return true;
    return std::all_of(request.host_list.begin(), request.host_list.end(), [&](NodeId host) {
      return may_serve(cluster.occupancy(host).kind, partition) && request.may_use(host) &&
             capacity(cluster, host, request, requirement) > 0;
    });
  };
  for (const auto partition : usable_partitions(cluster, request))
    if (std::all_of(request.requirements.begin(), request.requirements.end(),
                    [&](const Requirement& requirement) { return serves(requirement, partition); }))
      return true;
  return false;
}

}  // namespace

Feasibility judge_feasibility(const Cluster& cluster, const Request& request) {
  if (!request.node_set || request.node_set->delay < kUnlimited)
    return {feasible_within(cluster, request, {})};
  // Such a request would wait for a node set forever.
  KindMask serves(cluster.kinds(), 0);
  for (const auto& requirement : request.requirements) {
    const auto kinds = serving_kinds(cluster, request, requirement);
    for (std::size_t kind = 0; kind < serves.size(); ++kind)
      serves[kind] = static_cast<char>(serves[kind] | kinds[kind]);
  }
  const auto sets = node_sets(cluster, *request.node_set, serves);
  const bool any = std::any_of(sets.begin(), sets.end(), [&](const KindSet& set) {
    return feasible_within(cluster, request, set.kinds);
  });
  return {any, effort_of_sets(*request.node_set, sets.size(), cluster.kinds())};
}

bool ever_feasible(const Cluster& cluster, const Request& request) {
  return judge_feasibility(cluster, request).feasible;
}

bool ever_feasible(const Cluster& cluster, const Job& job, const Request& request) {
  return ever_feasible(cluster, request) ||
         std::any_of(job.alternatives.begin(), job.alternatives.end(), [&](const auto& shape) {
           return ever_feasible(cluster, in_shape(request, shape));
         });
}

bool needs_lost_nodes(const Cluster& cluster, const Job& job, const Request& request) {
  std::vector<NodeId> lost;
  for (const Node& node : cluster.nodes())
    if (!node.available() && !node.purged) lost.push_back(node.id);
  if (lost.empty()) return false;
  Request on_others = request;
  add_all_sorted(on_others.excluded, lost);
  return !ever_feasible(cluster, job, on_others) && ever_feasible(cluster, job, request);
}

std::string lost_nodes(const Cluster& cluster, const Request& request) {
  int all = 0, lost = 0, down = 0;
  for (const Node& node : cluster.nodes()) {
    const bool serves =
        !node.purged &&
        std::any_of(request.requirements.begin(), request.requirements.end(),
                    [&](const Requirement& requirement) {
                      return request.may_use(node.id, requirement) &&
                             mismatch(cluster, node.id, request, requirement) == NodeReason::none;
                    });
    if (!serves) continue;
    ++all;
    if (!node.available()) ++lost;
    if (!node.up()) ++down;
  }
  return fmt::format("{} of {} {} {}", lost, counted(all, "node"), by_number(lost, "is", "are"),
                     down == lost ? "down"
                     : down == 0  ? "drained"
                                  : "down or drained");
}

Request in_shape(const Request& request, const std::pair<int, Seconds>& shape) {
  Request shaped = request;
  shaped.requirements.front().tasks = shape.first;
  shaped.limit = shape.second;
  return shaped;
}

Request started_request(const Cluster& cluster, const StartJob& start) {
  const Job& job = cluster.job(start.job);
  const Request& request = cluster.request(job.request);
  return job.alternatives.empty() ? request
                                  : in_shape(request, job.alternatives[start.alternative]);
}

std::optional<Request> on_at_most(const Request& request, int nodes) {
  if (nodes < 1 || request.requirements.size() != 1) return std::nullopt;
  const auto& asked = request.requirements.front();
  if (asked.least_nodes > nodes || asked.exact_nodes || asked.tasks_per_node > 0)
    return std::nullopt;
  Request fewer = request;
  auto& most = fewer.requirements.front().nodes;
  if (most > 0 && most <= nodes) return std::nullopt;
  most = nodes;
  return fewer;
}

}  // namespace maui
