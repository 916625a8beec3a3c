// Shows the progress of a simulation on a terminal.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "maui/units.h"

namespace maui {

struct Progress {
  std::int64_t jobs = 0, ended = 0;  // of the workload; those that have ended
  Time now{0};                       // simulated time; 0: it has not begun
};

/// Returns "37 %  Tue Feb 11 1997  10532 of 28476 jobs  21400 jobs/s  1 s left".
std::string progress_text(const Progress& progress, std::chrono::duration<double> since_begin);

/// A line on standard error that is rewritten in place; nothing if that is not a terminal.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// True a few times per second, if standard error is a terminal.
  bool due();
  void show(const Progress& progress);
  /// Clears the line for other output.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  const bool terminal_;
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point due_ = begin_;
  bool shown_ = false;
};

}  // namespace maui
