#include "cmd/facts/node_facts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/duration.h"
#include "base/state_names.h"
#include "cmd/facts/job_facts.h"
#include "engine/reports/node_sync.h"

namespace maui {

Resources held_on(const Occupancy& here) {
  Resources held;
  for (const Occupant& occupant : here.occupants) held.add(occupant.amount);
  return held;
}

Utilisation utilisation_of(const Context& context, const Node& node) {
  if (context.settings().server.mode != ServerMode::simulation) return {node.utilised, node.load};
  const Cluster& cluster = context.cluster();
  const Occupancy& here = cluster.occupancy(node.id);
  Utilisation used{held_on(here), 0};
  for (const Occupant& occupant : here.occupants)
    used.load += efficiency_of(cluster, cluster.job(occupant.job)) *
                 static_cast<double>(occupant.amount.procs());
  return used;
}

std::vector<RmRecord> silent_managers(const Context& context) {
  auto records = context.engine.rm_records();
  std::erase_if(records, [](const RmRecord& manager) { return manager.up || manager.polls == 0; });
  return records;
}

std::string old_news(const Context& context, const RmRecord& silent) {
  if (silent.answered < Time(0))
    return fmt::format("resource manager '{}' has not answered yet", silent.name);
  return fmt::format("resource manager '{}' does not answer: its last report of nodes is {} old",
                     silent.name, format_duration(context.now() - silent.answered));
}

std::string why_closed(const Context& context, const Node& node) {
  for (const RmRecord& manager : silent_managers(context))
    if (manager.name == node.resource_manager)
      return fmt::format("resource manager '{}' does not answer", manager.name);
  if (unexpected(context.cluster(), node, up_only_of(context.engine.rm_records())))
    return fmt::format("its reported state, {}, does not match the jobs on it",
                       state_name(node.reported));
  return fmt::format("its load is {:.2f}", utilisation_of(context, node).load);
}

std::vector<std::reference_wrapper<const Node>> listed_nodes(const Cluster& cluster) {
  std::vector<std::reference_wrapper<const Node>> nodes;
  for (const Node& node : cluster.nodes())
    if (!node.purged) nodes.emplace_back(node);
  return nodes;
}

std::uint64_t most_hosts(const Cluster& cluster) {
  return std::max<std::uint64_t>(1000, 2 * cluster.nodes().size());
}

QueueUse use_of(const Cluster& cluster, PartitionId partition) {
  QueueUse use;
  for (const Node& node : cluster.nodes()) {
    if (partition.valid() && node.partition != partition) continue;
    const Occupancy& here = cluster.occupancy(node.id);
    const bool active = !here.occupants.empty();
    std::int64_t held = 0;
    for (const Occupant& occupant : here.occupants) held += occupant.amount.procs();
    use.nodes_active += active ? 1 : 0;
    use.procs_active += held;
    // A node that takes no more jobs counts with the processors that its jobs hold.
    const std::int64_t offered = node.available() ? node.configured.procs() : 0;
    use.procs_up += std::max(offered, held);
    use.nodes_up += node.available() || active ? 1 : 0;
  }
  return use;
}

}  // namespace maui
