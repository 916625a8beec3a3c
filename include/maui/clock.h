// The scheduler's only source of time.
#pragma once
#include "maui/units.h"

namespace maui {

/// The most by which two times of the same moment differ in whole seconds, though no clock is
/// wrong: a second of rounding, and one more while a clock is adjusted.  More is a step.
inline constexpr Seconds kClockAdjusted{2};

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Time now() const = 0;
  /// Makes now() no earlier than `answered`, when answers that were waited for had come, as far as
  /// it is so late: what they report to have happened meanwhile is not in the future.
  virtual void catch_up(Time /*answered*/) {}
};

}  // namespace maui
