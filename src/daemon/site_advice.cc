#include "daemon/site_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <string>

#include "base/host_range.h"
#include "base/text.h"
#include "engine/reports/in_use.h"
#include "sched/placement/node_sets.h"
#include "sched/reservations/host_expression.h"

namespace maui {
namespace {

constexpr std::size_t kNamesShown = 10;

std::string listed(std::vector<std::string> names) {
  const auto all = names.size();
  if (all > kNamesShown) names.resize(kNamesShown);
  auto text = join(names, ", ");
  if (all > kNamesShown) text += " and " + counted(all - kNamesShown, "other");
  return text;
}

void advise_on_sharing(const Configuration& configuration, const Cluster& cluster,
                       std::vector<std::string>& found) {
  const bool several = std::any_of(
      cluster.nodes().begin(), cluster.nodes().end(),
      [](const Node& node) { return node.configured.procs() > 1 && !node.policy.access; });
  if (!several) return;
  if (auto advice = sharing_advice(configuration)) found.push_back(*std::move(advice));
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

std::set<std::string> partitions_with_nodes(const Cluster& cluster) {
  std::set<std::string> names;
  for (const Node& node : cluster.nodes()) names.insert(cluster.partitions[node.partition]);
  return names;
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
  for (const auto& name : partitions_with_nodes(cluster)) named.erase(name);
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

/// True if the node set of that value has nodes: with the feature, of the class, and so on.
bool has_nodes(const Cluster& cluster, NodeSetAttribute attribute, const std::string& value) {
  KindMask all;
  for (std::uint32_t kind = 0; kind < cluster.kinds(); ++kind)
    all.push_back(cluster.nodes_of_kind(kind) > 0 ? 1 : 0);
  NodeSet only;
  only.attribute = attribute;
  only.list = {value};
  return !node_sets(cluster, only, all).empty();
}

/// Returns the names that `known` is false for.
template <class Known>
std::vector<std::string> unknown_of(std::vector<std::string> names, Known known) {
  std::erase_if(names, known);
  return names;
}

void advise_on_standing_reservations(const Configuration& configuration, const Cluster& cluster,
                                     std::vector<std::string>& found) {
  const auto with_nodes = partitions_with_nodes(cluster);
  for (const auto& [index, standing] : configuration.settings().standing_reservations) {
    const auto say = [&](std::string_view what, std::vector<std::string> unknown) {
      if (!unknown.empty())
        found.push_back(fmt::format("standing reservation {}: {}: {}",
                                    standing.name.empty() ? index : standing.name, what,
                                    listed(std::move(unknown))));
    };
    say("HOSTLIST names hosts that are not nodes", unknown_hosts(cluster, standing.hosts));
    say("NODEFEATURES names features that no node has",
        unknown_of(standing.features, [&](const auto& name) {
          return has_nodes(cluster, NodeSetAttribute::feature, name);
        }));
    if (!standing.partition.empty())
      say("PARTITION names a partition without nodes",
          unknown_of({standing.partition},
                     [&](const auto& name) { return with_nodes.contains(name); }));
    std::vector<std::string> classes;
    for (const AccessWord& word : standing.access)
      if (word.kind == AccessKind::job_class && word.name != "ALL") classes.push_back(word.name);
    if (classes_in_use(cluster))
      say("CLASSLIST names classes that no node offers",
          unknown_of(std::move(classes), [&](const auto& name) {
            return has_nodes(cluster, NodeSetAttribute::job_class, name);
          }));
  }
}

/// Node sets by processor speed without any such speed, and values of NODESETLIST that no node has.
void advise_on_node_sets(const Configuration& configuration, const Cluster& cluster,
                         std::vector<std::string>& found) {
  const auto& node = configuration.settings().node;
  if (!node.set_policy || !node.set_attribute) return;
  const auto& nodes = cluster.nodes();
  if (*node.set_attribute == NodeSetAttribute::proc_speed &&
      std::none_of(nodes.begin(), nodes.end(),
                   [](const Node& one) { return !one.purged && one.proc_speed > 0; })) {
    found.emplace_back(
        "NODESETATTRIBUTE PROCSPEED: no node has a processor speed: PROCSPEED in NODECFG, or a "
        "feature with FEATUREPROCSPEEDHEADER, gives it; SPEED does not");
    return;
  }
  auto unknown = unknown_of(node.set.list, [&](const std::string& value) {
    return has_nodes(cluster, *node.set_attribute, value);
  });
  if (!unknown.empty())
    found.push_back(
        fmt::format("NODESETLIST names sets that no node is in: {}", listed(std::move(unknown))));
}

}  // namespace

/// A site that migrated waited 60 % longer: release 3.3 shared nodes, whatever its guide said.
std::optional<std::string> sharing_advice(const Configuration& configuration) {
  if (configuration.says("NODEACCESSPOLICY")) return std::nullopt;
  return "NODEACCESSPOLICY is not set: a node of several processors serves one job at a time "
         "(DEDICATED, guide F); release 3.3 shared nodes: set SHARED or DEDICATED";
}

std::vector<std::string> site_advice(const Configuration& configuration, const Cluster& cluster) {
  std::vector<std::string> found;
  if (cluster.nodes().empty()) return found;
  advise_on_sharing(configuration, cluster, found);
  advise_on_named_nodes(configuration, cluster, found);
  advise_on_partitions(configuration, cluster, found);
  advise_on_standing_reservations(configuration, cluster, found);
  advise_on_node_sets(configuration, cluster, found);
  return found;
}

std::vector<std::string> SiteAdviser::advise(const Configuration& configuration,
                                             const Cluster& cluster) {
  due_ = cluster.nodes().empty();
  auto advice = site_advice(configuration, cluster);
  std::erase_if(advice, [this](const std::string& line) { return !given_.insert(line).second; });
  return advice;
}

}  // namespace maui
