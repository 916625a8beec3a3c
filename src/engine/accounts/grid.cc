#include "engine/accounts/grid.h"

#include <algorithm>
#include <cmath>

namespace maui {
namespace {

constexpr std::int64_t kLongest = std::int64_t{1} << 40;  // stands for INFINITY
constexpr double kNearlyWhole = 0.01;

bool whole(double ratio) { return std::abs(ratio - std::round(ratio)) < kNearlyWhole; }

}  // namespace

std::vector<std::int64_t> plot_edges(std::int64_t low, std::int64_t high, int scale) {
  low = std::clamp<std::int64_t>(low, 1, kLongest);
  high = std::clamp(high, low, kLongest);
  const double range = static_cast<double>(high) / static_cast<double>(low);
  if (scale == 1) return {high};
  int steps = scale - 1;
  const auto ratio_of = [&](int count) { return std::pow(range, 1.0 / count); };
  double ratio = ratio_of(steps);
  const double other = ratio_of(scale);
  if (!whole(ratio) && whole(other) && std::round(other) > 1) {
    ++steps;
    ratio = other;
  }
  if (whole(ratio)) ratio = std::round(ratio);
  std::vector<std::int64_t> edges;
  for (int i = 0; i <= steps; ++i) {
    const auto edge = std::llround(static_cast<double>(low) * std::pow(ratio, i));
    if (edges.empty() || edge > edges.back()) edges.push_back(edge);
  }
  return edges;
}

Grid::Grid(const PlotSettings& plot)
    : procs_(plot_edges(plot.min_procs, plot.max_procs, plot.proc_scale)),
      limits_(plot_edges(plot.min_time.raw(), plot.max_time.raw(), plot.time_scale)),
      least_procs_(std::min<std::int64_t>(plot.min_procs, procs_.front())),
      least_limit_(std::min(plot.min_time, Seconds(limits_.front()))),
      cells_(procs_.size() * limits_.size()) {}

void Grid::take_up(std::vector<JobTotals> cells, std::int64_t outside) {
  cells.resize(cells_.size());
  cells_ = std::move(cells);
  outside_ = outside;
}

void Grid::add(std::int64_t procs, Seconds limit, const JobTotals& job) {
  const auto row = std::lower_bound(procs_.begin(), procs_.end(), procs);
  const auto column = std::lower_bound(limits_.begin(), limits_.end(), limit.raw());
  const bool shown = row != procs_.end() && column != limits_.end() && procs >= least_procs_ &&
                     limit >= least_limit_;
  if (!shown) {
    ++outside_;
    return;
  }
  cells_[static_cast<std::size_t>(row - procs_.begin()) * limits_.size() +
         static_cast<std::size_t>(column - limits_.begin())] += job;
}

}  // namespace maui
