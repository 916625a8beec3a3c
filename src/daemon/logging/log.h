// The log (guide 14.2): levels from 0 (fewest lines) to 9, facilities, and a file that is rolled.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "daemon/logging/lasting_failure.h"
#include "maui/result.h"
#include "maui/settings.h"
#include "maui/units.h"

namespace spdlog {
class logger;
namespace sinks {
class sink;
}
}  // namespace spdlog

namespace maui {

class RollingFileSink;

/// The longest line in bytes, with all that is around its text; values from outside are shorter.
inline constexpr std::size_t kLongestLine = 4096;

class Log {
 public:
  /// `now` returns the time for lines: the simulated time in a simulation.
  explicit Log(std::function<Time()> now);
  ~Log();

  /// Opens LOGDIR/LOGFILE, relative to `home`.  If that fails, lines go to standard error.
  Status open(const LogSettings& settings, const std::string& home);
  void configure(const LogSettings& settings);  // level, facilities, limits for rolling
  void set_now(std::function<Time()> now) { now_ = std::move(now); }

  int level() const { return level_; }
  /// Also sends lines of level 0, which must not be missed, and reports to the system log, whatever
  /// LOGLEVEL and LOGFACILITY are (guide 14.2).
  void also_to(std::shared_ptr<spdlog::sinks::sink> system_log);
  /// Writes a user's change to the system log only.
  void report(std::string_view text);

  const std::string& path() const { return path_; }  // empty: standard error
  void change_level(int by);                         // SIGUSR1, SIGUSR2; stays within 0 to 9
  /// True if a line of this level may be wanted; if something is trapped, its text decides.
  bool may_want(int level) const { return level <= level_ || traps(); }
  bool wants(int level, std::string_view facility, std::string_view text = {}) const;
  /// True if such a line is wanted at any level.
  bool trapped(std::string_view facility, std::string_view text) const;
  void write(int level, std::string_view facility, std::string_view text);
  void flush();
  /// Opens the file by its name again, in case it was moved away or removed.  While that fails,
  /// lines also go to standard error, and this returns why.
  Status reopen();

 private:
  std::string stamped(std::string_view kind, std::string_view text);
  std::string_view stamp();
  Status state() const;
  void note_state();
  bool traps() const { return !trapped_facilities_.empty() || !trapped_words_.empty(); }

  std::function<Time()> now_;
  std::shared_ptr<spdlog::logger> errors_;  // standard error
  std::shared_ptr<spdlog::logger> logger_;
  std::shared_ptr<RollingFileSink> file_;   // nullptr: standard error
  LastingFailure failure_;                  // to open the file again
  std::shared_ptr<spdlog::logger> system_;  // nullptr: reports are dropped
  std::string path_;
  int level_ = 0;
  bool all_facilities_ = true;
  std::vector<std::string> facilities_;
  std::vector<std::string> trapped_facilities_;
  std::vector<std::string> trapped_words_;  // "job 'frank.4'": as log lines name the objects
  Time stamped_ = kForever;
  std::string stamp_;
};

}  // namespace maui
