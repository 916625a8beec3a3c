// Machines as other resource managers list them: `scontrol -o show nodes` of Slurm, with one node
// per line of Name=value words, and `pbsnodes -a` of TORQUE and PBS, with one node per paragraph.
//
// Nodes that are down remain part of the machine: they were up when the jobs ran, or will be again.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "maui/resource_manager.h"
#include "maui/result.h"
#include "sim/trace_summary.h"

namespace maui {

bool is_scontrol_node(std::string_view line);
Result<std::vector<NodeReport>> read_scontrol_nodes(const std::string& path, TraceSummary& summary);

/// True if `line` is the first line of a listing by pbsnodes, and `next` the second.
bool is_pbsnodes_name(std::string_view line, std::string_view next);
Result<std::vector<NodeReport>> read_pbsnodes(const std::string& path, TraceSummary& summary);

}  // namespace maui
