// A library for LD_PRELOAD: the machine's clock, set forward or back by the seconds that stand in
// the file SHIFTED_CLOCK.  Clocks that nobody can set go on as they are.
//
// It needs nothing at its start, so that the libraries of sanitizers may come after it.
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>

namespace {

long shift() {
  const char* path = std::getenv("SHIFTED_CLOCK");
  const auto file = path == nullptr ? -1L : ::syscall(SYS_openat, AT_FDCWD, path, O_RDONLY, 0);
  if (file < 0) return 0;
  char text[32] = {};
  const auto size = ::syscall(SYS_read, file, text, sizeof text - 1);
  ::syscall(SYS_close, file);
  return size > 0 ? std::strtol(text, nullptr, 10) : 0;
}

bool can_be_set(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

}  // namespace

// As in the C library's headers, which say of some arguments that they are never null.
#pragma GCC diagnostic ignored "-Wnonnull-compare"

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const auto status = ::syscall(SYS_clock_gettime, clock, time);
  if (status == 0 && can_be_set(clock)) time->tv_sec += shift();
  return static_cast<int>(status);
}

time_t time(time_t* seconds) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (seconds != nullptr) *seconds = now.tv_sec;
  return now.tv_sec;
}

int gettimeofday(timeval* time, void*) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (time != nullptr) *time = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

}  // extern "C"
