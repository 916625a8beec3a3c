// How far a simulation is, for whoever watches it at a terminal.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "maui/units.h"

namespace maui {

struct Progress {
  std::int64_t jobs = 0, ended = 0;  // of the workload; of these, those that have ended
  Time now{0};                       // the simulated time; 0: it has not begun
};

/// "37 %  Tue Feb 11 1997  10532 of 28476 jobs  21400 jobs/s  1 s left"
std::string progress_text(const Progress& progress, std::chrono::duration<double> since_begin);

/// One line of standard error that is written again and again; where that is no terminal, nothing.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// True a few times a second, at a terminal.
  bool due();
  void show(const Progress& progress);
  /// Leaves the line empty for what is written next.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  const bool terminal_;
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point due_ = begin_;
  bool shown_ = false;
};

}  // namespace maui
