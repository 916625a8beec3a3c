// Resource traces (guide 16.2): one node per line, 21 fields.
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

/// Returns the names of the fields, as in the guide's table.
std::span<const std::string_view> resource_fields();

Result<NodeReport> parse_resource_record(std::string_view line);

/// Reads the nodes of a file, in its order.  Reports and skips bad lines; a repeated name makes a
/// line bad.  Fails if the file cannot be read or no node remains.
Result<std::vector<NodeReport>> read_resource_trace(const std::string& path, TraceSummary& summary);

/// Returns one line (without newline) from which the node can be read back (schedctl -n).
std::string write_resource_record(const Cluster& cluster, const Node& node);

}  // namespace maui
