// The start dates of jobs that may not start yet.
#pragma once
#include <algorithm>
#include <functional>
#include <vector>

#include "maui/units.h"

namespace maui {

class StartDates {
 public:
  void add(Time date) {
    const auto at = std::lower_bound(dates_.begin(), dates_.end(), date, std::greater<>());
    if (at == dates_.end() || *at != date) dates_.insert(at, date);
  }
  /// Returns the first date after `now`, or kForever; drops earlier ones.
  Time next(Time now) {
    while (!dates_.empty() && dates_.back() <= now) dates_.pop_back();
    return dates_.empty() ? kForever : dates_.back();
  }

 private:
  std::vector<Time> dates_;  // latest first, each once
};

}  // namespace maui
