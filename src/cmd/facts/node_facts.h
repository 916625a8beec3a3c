// Facts that commands show of nodes, and of the resource managers that report them.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "cmd/context.h"
#include "maui/rm_record.h"

namespace maui {

/// The use that jobs make of a node.  Nobody measures a simulated node: there, resources dedicated
/// to jobs count as used, and their recorded processor time makes the load.
struct Utilisation {
  Resources amount;
  double load = 0;
};
Utilisation utilisation_of(const Context& context, const Node& node);
/// The resource managers that do not answer: what is known of their nodes and jobs is old.
std::vector<RmRecord> silent_managers(const Context& context);
/// Says so of the nodes of one.
std::string old_news(const Context& context, const RmRecord& silent);
/// Says why a node takes no new jobs whatever its state is (Occupancy::closed).
std::string why_closed(const Context& context, const Node& node);
/// The resources of a node that active jobs hold.
Resources held_on(const Occupancy& here);
/// How much of what is up in a partition is in use.
QueueUse use_of(const Cluster& cluster, PartitionId partition = {});
/// The nodes that commands list: all but those that are purged (NODEPURGETIME).
std::vector<std::reference_wrapper<const Node>> listed_nodes(const Cluster& cluster);
/// How many hosts a list in a request may stand for: more than there are.
std::uint64_t most_hosts(const Cluster& cluster);

}  // namespace maui
