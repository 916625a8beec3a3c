// Changes of a model of availability by one use or block.
#pragma once
#include <utility>
#include <vector>

#include "sched/availability/availability.h"

namespace maui::availability {

/// Adds a use to each of the nodes.  A job has one use of a node, whatever its requirements.
void hold(Availability& model, const NodeRuns& nodes, Use use);
/// Takes a use off the nodes again; a use whose times are past is known by the symbols for them.
/// Returns on how many of the nodes there was such a use.
int release(Availability& model, const NodeRuns& nodes, Use use);
void block(Availability& model, const NodeRuns& nodes, Block block);
int unblock(Availability& model, const NodeRuns& nodes, Block block);
/// Closes the nodes to jobs for so long from now on, whenever that is; 0 opens them.
void close(Availability& model, const NodeRuns& nodes, Seconds duration);
void set_kind(Availability& model, const NodeRuns& nodes, std::uint32_t kind);

/// The nodes by how many tasks each of them has.
std::vector<std::pair<int, NodeRuns>> nodes_by_tasks(const Placement& placement);

}  // namespace maui::availability
