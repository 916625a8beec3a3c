// showgrid: a statistic of completed jobs by size and wallclock limit (guide G).
#include "cmd/context.h"
#include "cmd/facts/period_statistics.h"
#include "history/grid_reply.h"

namespace maui {

Answer showgrid(const Context& context) {
  if (context.has("t")) return grid_of_period(context);
  const Statistics& s = context.engine.statistics();
  auto grid =
      grid_reply("showgrid", context.request.operands.front(), s.grid, Period{s.grid_since});
  if (!grid) return grid.error();
  return Reply(*std::move(grid));
}

}  // namespace maui
