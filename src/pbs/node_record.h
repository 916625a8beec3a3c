// PBS's nodes as reports for the scheduler.
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

/// TORQUE's nodes and OpenPBS's vnodes; each attribute shows which of the two it is of.  Jobs that
/// are `suspended` keep their slots in PBS, and do not count: the scheduler knows what they leave
/// free. Vnodes that share a host have a feature that names it.
std::vector<NodeReport> node_reports(std::span<const Object> nodes, const Queues& queues,
                                     const JobNames& suspended = {});

/// The jobs on a node, and the slots that each has: "0-1/2.srv,3/6.srv", "0/1.srv, 1/1.srv" and, of
/// OpenPBS, "7.srv/0, 7.srv/1".
std::vector<std::pair<std::string_view, int>> slots_in_use(std::string_view jobs);

}  // namespace maui::pbs
