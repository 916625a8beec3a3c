// The scheduler's only source of time.
#pragma once
#include <algorithm>
#include <chrono>

#include "maui/units.h"

namespace maui {

/// The most by which two times of the same moment differ in whole seconds, though no clock is
/// wrong: a second of rounding, and one more while a clock is adjusted.  More is a step.
inline constexpr Seconds kClockAdjusted{2};

/// Returns the step, in whole seconds, that shows in two readings of a clock as this difference
/// from the time that has passed; 0: it was at most adjusted.
inline Seconds step_of(std::chrono::nanoseconds difference) {
  const Seconds by(std::chrono::round<std::chrono::seconds>(difference).count());
  return std::max(by, Seconds(0) - by) > kClockAdjusted ? by : Seconds(0);
}

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Time now() const = 0;
  /// Makes now() no earlier than `answered`, when answers that were waited for had come, as far as
  /// it is so late: what they report to have happened meanwhile is not in the future.
  virtual void catch_up(Time /*answered*/) {}
};

}  // namespace maui
