// Resource traces (guide 16.2): one node a line, 21 fields.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "maui/cluster.h"
#include "maui/resource_manager.h"
#include "maui/result.h"
#include "sim/trace_file.h"

namespace maui {

/// The names of the fields, as the guide's table has them.
std::span<const std::string_view> resource_fields();

Result<NodeReport> parse_resource_record(std::string_view line);

/// The nodes of a file in its order.  Bad lines are reported and left out; a name that stands there
/// twice is a bad line.  Fails when the file cannot be read or nothing remains.
Result<std::vector<NodeReport>> read_resource_trace(const std::string& path, TraceSummary& summary);

/// One line (no newline) that reads back as the node (schedctl -n).
std::string write_resource_record(const Cluster& cluster, const Node& node);

}  // namespace maui
