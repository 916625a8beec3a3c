// The time since the machine was booted, by a clock that cannot be set, that continues while the
// machine sleeps, and that is slewed like the machine's clock.
#pragma once
#include <chrono>
#include <ctime>
#include <utility>

#include "maui/units.h"

namespace maui {

inline std::chrono::nanoseconds boot_time() {
  timespec time{};
  ::clock_gettime(CLOCK_BOOTTIME, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

inline Seconds whole_seconds(std::chrono::nanoseconds length) {
  return Seconds(std::chrono::duration_cast<std::chrono::seconds>(length).count());
}

/// Reads a clock, and the time that has passed by another, at the same moment: reads both again if
/// the process was stopped in between.
template <class Clock, class Passed>
auto read_together(const Clock& clock, const Passed& passed)
    -> std::pair<decltype(clock()), std::chrono::nanoseconds> {
  constexpr std::chrono::milliseconds kTogether{100};
  constexpr int kMostTries = 20;
  for (int tries = 1;; ++tries) {
    const std::chrono::nanoseconds at = passed();
    const auto time = clock();
    if (passed() - at <= kTogether || tries == kMostTries) return {time, at};
  }
}

}  // namespace maui
