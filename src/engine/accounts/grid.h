// Completed jobs by how many processors they asked for and for how long (showgrid; guide G,
// appendix F: PLOT*).
//
// A row or column is named after the most that its jobs asked for; they asked for more than the
// one before it is named after.  What asks for less than the first or more than the last is not
// shown, but counted.
#pragma once
#include <cstdint>
#include <vector>

#include "engine/accounts/job_totals.h"
#include "maui/settings/display.h"
#include "maui/units.h"

namespace maui {

/// Steps of equal ratio from `low` to `high`: `scale` values, both ends included.  Where these are
/// not of a whole ratio, but `scale` steps are (so it is by default), one value more
/// (docs/decisions/statistics.md).  A single value is `high`.  Requires scale > 0.
std::vector<std::int64_t> plot_edges(std::int64_t low, std::int64_t high, int scale);

class Grid {
 public:
  Grid() = default;
  explicit Grid(const PlotSettings& plot);

  const std::vector<std::int64_t>& procs() const { return procs_; }
  const std::vector<std::int64_t>& limits() const { return limits_; }
  const JobTotals& cell(std::size_t row, std::size_t column) const {
    return cells_[row * limits_.size() + column];
  }
  /// Completed jobs that are too small or large, too short or long for the grid.
  std::int64_t outside() const { return outside_; }
  /// Row by row.
  const std::vector<JobTotals>& cells() const { return cells_; }
  /// Takes over the counts of another grid that has the same rows and columns.
  void take_up(std::vector<JobTotals> cells, std::int64_t outside);
  void add(std::int64_t procs, Seconds limit, const JobTotals& job);

 private:
  std::vector<std::int64_t> procs_, limits_;
  std::int64_t least_procs_ = 1;
  Seconds least_limit_{1};
  std::vector<JobTotals> cells_;  // row by row
  std::int64_t outside_ = 0;
};

}  // namespace maui
