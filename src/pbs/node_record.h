// Converts PBS nodes to reports for the scheduler.
#pragma once
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "maui/resource_manager.h"
#include "pbs/attribute.h"
#include "pbs/queue.h"

namespace maui::pbs {

/// The names of jobs.
using JobNames = std::set<std::string, std::less<>>;

/// Returns reports of TORQUE's nodes or OpenPBS's vnodes, told apart by their attributes.
/// Suspended jobs keep their slots in PBS, but these slots do not count here: the scheduler itself
/// tracks what such jobs leave free.  Vnodes that share a host have a feature with its name.
std::vector<NodeReport> node_reports(std::span<const Object> nodes, const Queues& queues,
                                     const JobNames& suspended = {});

/// Returns the jobs on a node with their number of slots: "0-1/2.srv,3/6.srv", "0/1.srv, 1/1.srv",
/// or, of OpenPBS, "7.srv/0, 7.srv/1".
std::vector<std::pair<std::string_view, int>> slots_in_use(std::string_view jobs);

}  // namespace maui::pbs
