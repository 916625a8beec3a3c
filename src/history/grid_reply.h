// A grid of statistics in the words of showgrid (guide G): since statistics began, or of a period.
#pragma once
#include <string_view>

#include "engine/accounts/grid.h"
#include "history/past_time.h"
#include "maui/replies/statistics.h"
#include "maui/result.h"

namespace maui {

/// `statistic` is one of the thirteen of the guide, whatever its case; `command` asks for it. A
/// period without an end goes on.
Result<GridReply> grid_reply(std::string_view command, std::string_view statistic, const Grid& grid,
                             const Period& period);

}  // namespace maui
