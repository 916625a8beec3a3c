// The scheduler's only source of time.
#pragma once
#include <algorithm>
#include <cstdint>

#include "maui/units.h"

namespace maui {

/// The most by which two times of the same moment differ in whole seconds, though no clock is
/// wrong: a second of rounding, and one more while a clock is adjusted.  More is a step.
inline constexpr Seconds kClockAdjusted{2};
/// Returns the most by which the machine's clock may have advanced more or less than `passed`,
/// although nobody has set it: a five-hundredth, four times what the kernel allows, and the above.
inline Seconds most_adjusted(Seconds passed) {
  constexpr std::int64_t kRate = 500;
  return kClockAdjusted + Seconds(std::max(passed.raw(), std::int64_t{0}) / kRate);
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
