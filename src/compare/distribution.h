// Summarizes many values in five numbers: mean, median, 95th and 99th percentile, and the
// greatest.
#pragma once
#include <vector>

namespace maui::compare {

struct Distribution {
  double mean = 0, median = 0, p95 = 0, p99 = 0, worst = 0;
};

/// Returns zeros if there are no values.  Percentile q of n values is the ceil(q * n)-th smallest
/// value (nearest rank), so that it is the value of a real job.
Distribution distribution_of(std::vector<double> values);

}  // namespace maui::compare
