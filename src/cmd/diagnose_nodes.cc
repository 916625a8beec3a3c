// diagnose -n and -t.
#include <fmt/format.h>

#include <map>

#include "base/state_names.h"
#include "base/text.h"
#include "cmd/diagnose.h"
#include "cmd/facts/node_facts.h"
#include "cmd/facts/reply_values.h"
#include "cmd/operands.h"

namespace maui {
namespace {

NodeDiagnosis node_row(const Context& context, const Node& node) {
  const Cluster& cluster = context.cluster();
  const Occupancy& here = cluster.occupancy(node.id);
  const auto amount = [&](ConsumableId what) {
    return FreeAmount{here.free.get(what), node.configured.get(what)};
  };
  NodeDiagnosis row;
  row.name = node.name;
  row.state = state_name(cluster.state(node.id));
  row.opsys = or_none(node.operating_system);
  row.arch = or_none(node.architecture);
  row.partition = cluster.partitions[node.partition];
  row.procs = amount(kProcs);
  row.memory = amount(kMemory);
  row.disk = amount(kDisk);
  row.swap = amount(kSwap);
  row.speed = node.speed;
  row.load = utilisation_of(context, node).load;
  row.reservations = static_cast<std::int64_t>(here.occupants.size() + here.reservations.size());
  row.classes = classes_of(cluster, here.free, node.configured);
  row.networks = node.networks;
  row.features = feature_names(cluster, node.features);
  for (const Occupant& job : here.occupants) row.jobs.push_back(cluster.job(job.job).name);
  return row;
}

/// A node that takes no more jobs is active while it has some, unless it is down.
void count(NodesDiagnosisReply& reply, const Cluster& cluster, const Node& node) {
  if (!node.up())
    ++reply.down;
  else if (!cluster.occupancy(node.id).occupants.empty())
    ++reply.active;
  else if (node.available())
    ++reply.idle;
  else
    ++reply.down;
}

void warn(const Cluster& cluster, const Node& node, std::vector<std::string>& warnings) {
  const Occupancy& here = cluster.occupancy(node.id);
  if (here.free.procs() < 0)
    warnings.push_back(fmt::format("node '{}' is overcommitted by {}", node.name,
                                   counted(-here.free.procs(), "proc")));
  if (node.configured.procs() == 0)
    warnings.push_back(fmt::format("node '{}' has no procs", node.name));
  if (node.reported == NodeState::down && !here.occupants.empty())
    warnings.push_back(fmt::format("node '{}' is Down but has {}", node.name,
                                   counted(here.occupants.size(), "active job")));
}

/// Warns of an unexpected load or state of the node (guide 9.2).
void warn_of_load(const Context& context, const Node& node, std::vector<std::string>& warnings) {
  constexpr double kNoise = 0.5;  // the load of the system itself
  const Cluster& cluster = context.cluster();
  const Occupancy& here = cluster.occupancy(node.id);
  const Resources held = held_on(here);
  const Utilisation used = utilisation_of(context, node);
  if (here.closed)
    warnings.push_back(
        fmt::format("node '{}' accepts no new jobs: {}", node.name, why_closed(context, node)));
  if (used.load > held.procs() + kNoise)
    warnings.push_back(fmt::format("node '{}' has a load of {:.2f} but jobs on {}", node.name,
                                   used.load, counted(held.procs(), "proc")));
  for (const auto& [what, name] : {std::pair(kMemory, "memory"), {kSwap, "swap"}, {kDisk, "disk"}})
    if (held.get(what) > 0 && used.amount.get(what) > held.get(what))
      warnings.push_back(fmt::format("node '{}' uses {} MB of {} but dedicates {} MB", node.name,
                                     used.amount.get(what), name, held.get(what)));
  if (node.reported == NodeState::busy && here.occupants.empty())
    warnings.push_back(fmt::format("node '{}' is reported Busy but has no job", node.name));
  if (node.reported == NodeState::unknown)
    warnings.push_back(fmt::format("the state of node '{}' is unknown", node.name));
}

/// Sums over the nodes of a partition.
struct Sums {
  PartitionAmount nodes{"NODE", 0, 0, 0, 0};
  std::vector<std::pair<ConsumableId, PartitionAmount>> amounts{{kProcs, {"PROC", 0, 0, 0, 0}},
                                                                {kMemory, {"MEM", 0, 0, 0, 0}},
                                                                {kSwap, {"SWAP", 0, 0, 0, 0}},
                                                                {kDisk, {"DISK", 0, 0, 0, 0}}};
  Resources up, free;

  void add(const Context& context, const Node& node) {
    const Cluster& cluster = context.cluster();
    const Occupancy& here = cluster.occupancy(node.id);
    const bool busy = !here.occupants.empty();
    ++nodes.configured;
    nodes.up += node.available() || busy ? 1 : 0;
    nodes.dedicated += busy ? 1 : 0;
    nodes.active += busy ? 1 : 0;
    const Resources held = held_on(here), used = utilisation_of(context, node).amount;
    for (auto& [what, sum] : amounts) {
      sum.configured += node.configured.get(what);
      sum.up += std::max(node.available() ? node.configured.get(what) : 0, held.get(what));
      sum.dedicated += held.get(what);
      sum.active += busy ? used.get(what) : 0;
    }
    if (!node.available()) return;
    up.add(node.configured);
    free.add(here.free);
  }
};

}  // namespace

Answer diagnose_nodes(const Context& context) {
  const Cluster& cluster = context.cluster();
  const auto partition = partition_named(context, context.value("t"));
  if (!partition) return partition.error();
  NodeId only;
  if (const std::string name = context.value("n"); !name.empty()) {
    const auto id = node_named(context, name);
    if (!id) return id.error();
    only = *id;
  }
  NodesDiagnosisReply reply;
  reply.verbose = context.has("v");
  for (const RmRecord& manager : silent_managers(context))
    reply.warnings.push_back(old_news(context, manager));
  for (const Node& node : listed_nodes(cluster)) {
    if ((only.valid() && node.id != only) || (partition->valid() && node.partition != *partition))
      continue;
    reply.nodes.push_back(node_row(context, node));
    count(reply, cluster, node);
    warn(cluster, node, reply.warnings);
    warn_of_load(context, node, reply.warnings);
  }
  return Reply(std::move(reply));
}

Answer diagnose_partitions(const Context& context) {
  const Cluster& cluster = context.cluster();
  const auto only = partition_named(context, context.value("t"));
  if (!only) return only.error();
  std::map<PartitionId, Sums> sums;
  for (const Node& node : listed_nodes(cluster))
    if (!only->valid() || node.partition == *only) sums[node.partition].add(context, node);
  PartitionsReply reply;
  for (const auto& [id, sum] : sums) {
    PartitionDiagnosis row{cluster.partitions[id], {sum.nodes}, {}};
    for (const auto& [what, amount] : sum.amounts) row.amounts.push_back(amount);
    row.classes = classes_of(cluster, sum.free, sum.up);
    reply.partitions.push_back(std::move(row));
  }
  const CredentialSettings& system = context.settings().system;
  std::vector<std::string> names;
  for (const PartitionId id : cluster.partitions_with_nodes())
    names.push_back(cluster.partitions[id]);
  reply.system_list = system.partition_list.value_or(std::move(names));
  reply.system_default = system.default_partition.empty() ? cluster.partitions[PartitionId(0U)]
                                                          : system.default_partition;
  return Reply(std::move(reply));
}

}  // namespace maui
