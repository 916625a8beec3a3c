// The lines of the scheduler's log: counted for the metrics, and bounded where others cause them.
#pragma once
#include <chrono>
#include <string_view>

#include "daemon/logging/bounded_lines.h"
#include "daemon/logging/log.h"
#include "engine/engine_observer.h"
#include "metrics/scheduler_metrics.h"

namespace maui {

class Lines {
 public:
  /// The log must outlive this.  `complete`: all lines of jobs and reports are written, as in a
  /// simulation, which has no users.
  Lines(Log& log, bool complete) : log_(log), bounded_(log), complete_(complete) {}

  /// Shares out the log that these settings keep.
  void configure(const LogSettings& settings) { bounded_.configure(settings); }
  /// True if lines of this level may be written; others need not be composed.
  bool wants(int level) const { return log_.may_want(level); }
  void write(int level, std::string_view facility, std::string_view text);
  /// Writes a line that the party can cause in any number.  A line that is one too many is counted
  /// instead.
  void write_of(LineCause cause, std::string_view party, int level, std::string_view facility,
                std::string_view text);
  /// Writes a user's change to the system log only.
  void report(std::string_view text) { log_.report(text); }
  /// Writes how many lines were left out about parties of which none was for a minute.
  void tell(std::chrono::steady_clock::time_point now) { bounded_.tell(now); }
  /// Returns how many lines of each kind there were, written or not.
  const LineCounts& counts() const { return counts_; }

 private:
  Log& log_;
  BoundedLines bounded_;
  bool complete_;
  LineCounts counts_;
};

}  // namespace maui
