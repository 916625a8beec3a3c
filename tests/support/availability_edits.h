// Edits of an availability model by a single use or block.
#pragma once
#include <utility>
#include <vector>

#include "sched/availability/availability.h"

namespace maui::availability {

/// Adds a use to each node.  A job has one use of a node, whatever its requirements.
void hold(Availability& model, const NodeRuns& nodes, Use use);
/// Removes a use from the nodes; past times of the use match the symbols that replaced them.
/// Returns the number of nodes that had the use.
int release(Availability& model, const NodeRuns& nodes, Use use);
void block(Availability& model, const NodeRuns& nodes, Block block);
int unblock(Availability& model, const NodeRuns& nodes, Block block);
/// Closes the nodes to jobs until `duration` after any current time; 0 opens them.
void close(Availability& model, const NodeRuns& nodes, Seconds duration);
void set_kind(Availability& model, const NodeRuns& nodes, std::uint32_t kind);

/// Groups the nodes by their number of tasks.
std::vector<std::pair<int, NodeRuns>> nodes_by_tasks(const Placement& placement);

}  // namespace maui::availability
