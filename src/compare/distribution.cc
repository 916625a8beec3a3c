#include "compare/distribution.h"

#include <algorithm>
#include <cmath>

namespace maui::compare {
namespace {

double rank(std::vector<double>& values, double part) {
  const auto count = static_cast<double>(values.size());
  // The factor compensates for rounding up: 0.95 * 20 is slightly more than 19.
  const auto at = std::max(0.0, std::ceil(part * count * (1 - 1e-12)) - 1);
  const auto nth = values.begin() + static_cast<std::ptrdiff_t>(at);
  std::nth_element(values.begin(), nth, values.end());
  return *nth;
}

}  // namespace

Distribution distribution_of(std::vector<double> values) {
  Distribution distribution;
  if (values.empty()) return distribution;
  for (const double value : values) distribution.mean += value;
  distribution.mean /= static_cast<double>(values.size());
  distribution.median = rank(values, 0.5);
  distribution.p95 = rank(values, 0.95);
  distribution.p99 = rank(values, 0.99);
  distribution.worst = *std::max_element(values.begin(), values.end());
  return distribution;
}

}  // namespace maui::compare
