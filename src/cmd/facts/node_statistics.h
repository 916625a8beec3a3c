// showstats -n: the share of time in which nodes were up and busy, and how the memory that the
// queue needs matches the memory of the nodes (guide G).
#pragma once
#include <vector>

#include "cmd/context.h"

namespace maui {

Answer node_statistics(const Context& context);

/// Fills in spread_hours and even_hours.  Work may run on nodes with more memory than it needs, but
/// not with less.  Requires rows in order of memory.
void spread_work(std::vector<MemoryRow>& rows);

}  // namespace maui
