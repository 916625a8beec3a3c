// Completed jobs, classified by the processors and time that they requested (showgrid; guide G,
// appendix F: PLOT*).
//
// A row or column is named after the most that its jobs requested; they requested more than the
// name of the row or column before.  Jobs below the first or above the last are counted, but not
// shown.
#pragma once
#include <cstdint>
#include <vector>

#include "engine/accounts/job_totals.h"
#include "maui/settings/display.h"
#include "maui/units.h"

namespace maui {

/// Returns `scale` values in equal ratio from `low` to `high`, both included.  If the ratio is not
/// whole, but would be with `scale` steps (so by default), returns one value more
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
  /// Returns the number of completed jobs that lie outside the grid in processors or time.
  std::int64_t outside() const { return outside_; }
  /// Row by row.
  const std::vector<JobTotals>& cells() const { return cells_; }
  /// Adopts the counts of another grid with the same rows and columns.
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
