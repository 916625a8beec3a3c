// Facts about nodes, and about the resource managers that report them.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "cmd/context.h"
#include "maui/rm_record.h"

namespace maui {

/// The use that jobs make of a node.  The use of a simulated node is not measured: resources
/// dedicated to jobs count as used, and the jobs' recorded processor time gives the load.
struct Utilisation {
  Resources amount;
  double load = 0;
};
Utilisation utilisation_of(const Context& context, const Node& node);
/// Returns the resource managers that do not answer, so that data on their nodes and jobs is old.
std::vector<RmRecord> silent_managers(const Context& context);
/// Returns a sentence that data on the nodes of `silent` is old.
std::string old_news(const Context& context, const RmRecord& silent);
/// Returns why a node takes no new jobs whatever its state (Occupancy::closed).
std::string why_closed(const Context& context, const Node& node);
/// Returns the resources of a node that active jobs hold.
Resources held_on(const Occupancy& here);
/// Returns how much of the nodes and processors that are up in a partition is in use.
QueueUse use_of(const Cluster& cluster, PartitionId partition = {});
/// Returns the nodes that commands list: all but purged nodes (NODEPURGETIME).
std::vector<std::reference_wrapper<const Node>> listed_nodes(const Cluster& cluster);
/// Returns how many hosts a list in a request may expand to: more than the cluster has.
std::uint64_t most_hosts(const Cluster& cluster);

}  // namespace maui
