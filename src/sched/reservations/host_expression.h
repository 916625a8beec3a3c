// The nodes that a host expression names (guide G, setres; seed 7.1.5, HOSTLIST).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "maui/cluster.h"
#include "maui/result.h"

namespace maui {

/// True if the item stands for every node: ALL and [ALL] in any case, unless a node is called so.
bool stands_for_all_nodes(const Cluster& cluster, std::string_view item);

/// Returns the nodes of a list of names, names with ranges and regular expressions, in the resource
/// manager's order; ALL stands for every node.  Ignores items that name no node.
std::vector<NodeId> nodes_named(const Cluster& cluster, const std::string& list);

}  // namespace maui
