// The log (guide 14.2): a level from 0, the fewest lines, to 9; facilities; a file that is rolled.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>

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

class Log {
 public:
  /// Lines carry the time that `now` returns: the simulation's, where there is one.
  explicit Log(std::function<Time()> now);
  ~Log();

  /// Opens LOGDIR/LOGFILE, relative to `home`.  If that fails, lines go to standard error.
  Status open(const LogSettings& settings, const std::string& home);
  void configure(const LogSettings& settings);  // level, facilities, when the file is rolled
  void set_now(std::function<Time()> now) { now_ = std::move(now); }

  int level() const { return level_; }
  /// Sends lines of level 0, which nobody may miss, and reports there, too, whatever LOGLEVEL and
  /// LOGFACILITY are (guide 14.2).
  void also_to(std::shared_ptr<spdlog::sinks::sink> system_log);
  /// Reports a user's change to the system's log alone.
  void report(std::string_view text);

  const std::string& path() const { return path_; }  // empty: standard error
  void change_level(int by);                         // SIGUSR1, SIGUSR2; stays within 0 to 9
  /// True if a line of this level may be wanted, which its text decides where something is trapped.
  bool may_want(int level) const { return level <= level_ || traps(); }
  bool wants(int level, std::string_view facility, std::string_view text = {}) const;
  void write(int level, std::string_view facility, std::string_view text);
  void flush();
  /// Goes on in the file of that name, should the one that is written to have been moved away.
  void reopen();

 private:
  std::string_view stamp();
  bool traps() const { return !trapped_facilities_.empty() || !trapped_words_.empty(); }
  bool trapped(std::string_view facility, std::string_view text) const;

  std::function<Time()> now_;
  std::shared_ptr<spdlog::logger> logger_;
  std::shared_ptr<RollingFileSink> file_;   // none: standard error
  std::shared_ptr<spdlog::logger> system_;  // none: what goes there is dropped
  std::string path_;
  int level_ = 0;
  bool all_facilities_ = true;
  std::vector<std::string> facilities_;
  std::vector<std::string> trapped_facilities_;
  std::vector<std::string> trapped_words_;  // "job 'frank.4'": how lines name what is trapped
  Time stamped_ = kForever;
  std::string stamp_;
};

}  // namespace maui
