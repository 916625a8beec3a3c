#include "daemon/site_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>

#include "base/host_range.h"
#include "base/text.h"
#include "sched/reservations/host_expression.h"

namespace maui {
namespace {

constexpr std::size_t kNamesShown = 10;

std::string listed(std::vector<std::string> names) {
  const auto all = names.size();
  if (all > kNamesShown) names.resize(kNamesShown);
  auto text = join(names, ", ");
  if (all > kNamesShown) text += fmt::format(" and {} others", all - kNamesShown);
  return text;
}

/// A site that migrated waited 60 % longer: release 3.3 shared nodes, whatever its guide said.
void advise_on_sharing(const Configuration& configuration, const Cluster& cluster,
                       std::vector<std::string>& found) {
  if (configuration.says("NODEACCESSPOLICY")) return;
  const bool several = std::any_of(
      cluster.nodes().begin(), cluster.nodes().end(),
      [](const Node& node) { return node.configured.procs() > 1 && !node.policy.access; });
  if (several)
    found.emplace_back(
        "NODEACCESSPOLICY is not set: a node of several processors serves one job at a time "
        "(DEDICATED, guide F); release 3.3 shared nodes: set SHARED or DEDICATED");
}

void advise_on_named_nodes(const Configuration& configuration, const Cluster& cluster,
                           std::vector<std::string>& found) {
  std::vector<std::string> unknown;
  for (const auto& [name, entry] : configuration.settings().nodes)
    if (name != "DEFAULT" && !cluster.find_node(name).valid()) unknown.push_back(name);
  if (!unknown.empty())
    found.push_back(fmt::format("NODECFG names nodes that no resource manager reports: {}",
                                listed(std::move(unknown))));
}

/// Policies, limits and weights of partitions.
void advise_on_partitions(const Configuration& configuration, const Cluster& cluster,
                          std::vector<std::string>& found) {
  const auto& settings = configuration.settings();
  std::set<std::string> named;
  const auto note = [&named](const auto& table) {
    for (const auto& entry : table) named.insert(entry.first);
  };
  note(settings.partition_policies);
  note(settings.partition_weights);
  note(settings.partitions);
  for (const Node& node : cluster.nodes()) named.erase(cluster.partitions[node.partition]);
  if (!named.empty())
    found.push_back(fmt::format("policies or limits are set for partitions without nodes: {}",
                                listed({named.begin(), named.end()})));
}

/// Returns the items of a host list that name no node, and expressions that match no node.
std::vector<std::string> unknown_hosts(const Cluster& cluster, const std::string& hosts) {
  std::vector<std::string> unknown;
  for (const auto& item : split_hosts(hosts)) {
    if (nodes_named(cluster, item).empty()) {
      unknown.push_back(item);
      continue;
    }
    std::vector<std::string> missing;
    const auto names = expand_hosts(item);
    if (names)
      std::copy_if(names->begin(), names->end(), std::back_inserter(missing),
                   [&](const auto& name) { return !cluster.find_node(name).valid(); });
    if (!names || missing.size() == names->size()) continue;  // the item is an expression
    unknown.insert(unknown.end(), missing.begin(), missing.end());
  }
  return unknown;
}

void advise_on_hosts(const Configuration& configuration, const Cluster& cluster,
                     std::vector<std::string>& found) {
  for (const auto& [index, standing] : configuration.settings().standing_reservations) {
    auto unknown = unknown_hosts(cluster, standing.hosts);
    if (!unknown.empty())
      found.push_back(
          fmt::format("standing reservation {}: HOSTLIST names hosts that are not nodes: {}",
                      standing.name.empty() ? index : standing.name, listed(std::move(unknown))));
  }
}

}  // namespace

std::vector<std::string> site_advice(const Configuration& configuration, const Cluster& cluster) {
  std::vector<std::string> found;
  if (cluster.nodes().empty()) return found;
  advise_on_sharing(configuration, cluster, found);
  advise_on_named_nodes(configuration, cluster, found);
  advise_on_partitions(configuration, cluster, found);
  advise_on_hosts(configuration, cluster, found);
  return found;
}

}  // namespace maui
