#include "sched/feasibility.h"

#include <algorithm>

#include "sched/need.h"
#include "sched/node_sets.h"

namespace maui {
namespace {

bool names_it(const std::string& wanted, const std::string& there) {
  return wanted.empty() || wanted == there;
}

bool in_partition(const Request& request, const Node& node) {
  return request.partitions.empty() ||
         std::binary_search(request.partitions.begin(), request.partitions.end(), node.partition);
}

bool offers_class(const Cluster& cluster, const Node& node, ClassId job_class) {
  if (!job_class.valid()) return true;
  const auto initiator = cluster.consumables.find("class:" + cluster.classes[job_class]);
  return !initiator.valid() || node.configured.get(initiator) > 0;
}

// The first of the task's consumables of which the node has too little, as a reason.
NodeReason short_of(const Node& node, const Resources& task) {
  if (node.configured.procs() < task.procs()) return NodeReason::cpu;
  if (node.configured.memory() < task.memory()) return NodeReason::memory;
  if (node.configured.swap() < task.swap()) return NodeReason::swap;
  if (node.configured.disk() < task.disk()) return NodeReason::disk;
  return NodeReason::resources;
}

// With TasksPerNode every node but perhaps one takes exactly so many tasks.
int fewest_on_a_node(const Requirement& requirement) {
  if (requirement.tasks_per_node == 0) return 1;
  const int rest = requirement.tasks % requirement.tasks_per_node;
  return rest > 0 ? rest : requirement.tasks_per_node;
}

}  // namespace

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
  if (node.policy.access.value_or(request.access) == NodeAccess::single_task) return 1;
  return node.configured.tasks_of(requirement.per_task);
}

std::vector<PartitionId> usable_partitions(const Cluster& cluster, const Request& request) {
  if (request.span) return {PartitionId()};
  std::vector<PartitionId> all = request.partitions;
  if (all.empty())
    for (std::size_t p = 0; p < cluster.partitions.size(); ++p) all.emplace_back(p);
  const auto first = std::find(all.begin(), all.end(), request.first_partition);
  if (first != all.end()) std::rotate(all.begin(), first, first + 1);
  return all;
}

namespace {

// `kinds`: the only kinds of nodes that may serve; empty: all.
bool feasible_within(const Cluster& cluster, const Request& request, const KindMask& kinds) {
  for (const auto partition : usable_partitions(cluster, request)) {
    bool all = true;
    for (const auto& requirement : request.requirements) {
      Need need(requirement);
      std::size_t hosts = 0;
      for (const auto& node : cluster.nodes()) {
        if (!in_reach(request, node.partition, partition)) continue;
        if (!kinds.empty() && !kinds[cluster.occupancy(node.id).kind]) continue;
        const bool host = request.lists(node.id);
        if (request.host_list_use == HostListUse::some_of && !host) continue;
        const int tasks = capacity(cluster, node.id, request, requirement);
        if (tasks > 0 && host) ++hosts;
        need.offer(tasks);
      }
      const bool hosts_there =
          request.host_list_use != HostListUse::all_of || hosts == request.host_list.size();
      all = all && hosts_there && need.met();
    }
    if (all) return true;
  }
  return false;
}

}  // namespace

bool ever_feasible(const Cluster& cluster, const Request& request) {
  if (!request.node_set || request.node_set->delay < kUnlimited)
    return feasible_within(cluster, request, {});
  // It would wait for a node set for ever.
  KindMask serves(cluster.kinds(), 0);
  for (const auto& requirement : request.requirements) {
    const auto kinds = serving_kinds(cluster, request, requirement);
    for (std::size_t kind = 0; kind < serves.size(); ++kind)
      serves[kind] = static_cast<char>(serves[kind] | kinds[kind]);
  }
  const auto sets = node_sets(cluster, *request.node_set, serves);
  return std::any_of(sets.begin(), sets.end(), [&](const KindSet& set) {
    return feasible_within(cluster, request, set.kinds);
  });
}

Request in_shape(const Request& request, const std::pair<int, Seconds>& shape) {
  Request shaped = request;
  shaped.requirements.front().tasks = shape.first;
  shaped.limit = shape.second;
  return shaped;
}

}  // namespace maui
