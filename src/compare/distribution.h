// Five numbers that tell of many: mean, median, the values that 95 and 99 of 100 do not exceed, and
// the greatest.
#pragma once
#include <vector>

namespace maui::compare {

struct Distribution {
  double mean = 0, median = 0, p95 = 0, p99 = 0, worst = 0;
};

/// All 0 where there are no values.  Part q of n values is the ceil(q * n)-th smallest (nearest
/// rank): a value that some job really had.
Distribution distribution_of(std::vector<double> values);

}  // namespace maui::compare
