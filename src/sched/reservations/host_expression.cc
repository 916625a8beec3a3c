#include "sched/reservations/host_expression.h"

#include <algorithm>

#include "base/host_range.h"
#include "base/name_pattern.h"
#include "base/sorted.h"
#include "base/text.h"

namespace maui {
namespace {

// True if the item has no special character of regular expressions except dots (domain names).
bool plain(const std::string& item) {
  return item.find_first_of("[](){}*+?|^$\\") == std::string::npos;
}

// Adds the nodes of a name, with or without ranges; false if the item may be an expression.
bool add_named(const Cluster& cluster, const std::string& item, std::vector<NodeId>& nodes) {
  const auto names = expand_hosts(item);
  if (!names) return false;
  std::vector<NodeId> found;
  for (const auto& name : *names)
    if (const NodeId id = cluster.find_node(name); id.valid()) found.push_back(id);
  if (found.empty() && !plain(item)) return false;
  nodes.insert(nodes.end(), found.begin(), found.end());
  return true;
}

}  // namespace

bool stands_for_all_nodes(const Cluster& cluster, std::string_view item) {
  return names_all_in_any_case(item) && !cluster.find_node(item).valid();
}

std::vector<NodeId> nodes_named(const Cluster& cluster, const std::string& list) {
  std::vector<NodeId> nodes;
  for (const auto& item : split_hosts(list)) {
    if (stands_for_all_nodes(cluster, item)) {
      for (const Node& node : cluster.nodes()) nodes.push_back(node.id);
      continue;
    }
    if (add_named(cluster, item, nodes)) continue;
    if (const auto pattern = NamePattern::of(item))
      for (const Node& node : cluster.nodes())
        if (pattern->in(node.name)) nodes.push_back(node.id);
  }
  sort_unique(nodes);
  return nodes;
}

}  // namespace maui
