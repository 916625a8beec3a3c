// The time since the machine was switched on, which nobody can set, and which goes on while the
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
