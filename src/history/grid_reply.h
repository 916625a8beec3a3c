// A grid of statistics as showgrid displays it (guide G): since statistics began, or of a period.
#pragma once
#include <string_view>

#include "engine/accounts/grid.h"
#include "history/past_time.h"
#include "maui/replies/statistics.h"
#include "maui/result.h"

namespace maui {

/// `statistic` is one of the guide's thirteen, in any case; `command` appears in the error message
/// for any other.  A period without an end extends to now.
Result<GridReply> grid_reply(std::string_view command, std::string_view statistic, const Grid& grid,
                             const Period& period);

}  // namespace maui
