// The time since the machine was booted, by a clock that cannot be set and that continues while the
// machine sleeps.
#pragma once
#include <chrono>
#include <ctime>

namespace maui {

inline std::chrono::nanoseconds boot_time() {
  timespec time{};
  ::clock_gettime(CLOCK_BOOTTIME, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace maui
