// showstats -n: how much of the time nodes were up and busy, and how the queue's needs of memory
// meet what the nodes have (guide G).
#pragma once
#include <vector>

#include "cmd/context.h"

namespace maui {

Answer node_statistics(const Context& context);

/// Fills in spread_hours and even_hours.  Work may run on nodes with more memory than it needs, not
/// on those with less.  Requires rows in order of memory.
void spread_work(std::vector<MemoryRow>& rows);

}  // namespace maui
