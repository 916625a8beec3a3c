// The records of jobs that ended (guide 9.2.2, 16.3): stats.sim for simulations, to which each run
// appends, or in live operation a file per day, stats.YYYY_MM_DD.
//
// The lines of the history (history/event_line.h) are written in the same way.  A record that
// cannot be written is kept and written with the next.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/line_file.h"
#include "maui/settings.h"
#include "maui/units.h"

namespace maui {

class StatisticsFile {
 public:
  /// Creates `directory` if it is missing.  `header` begins each new file; `kind` (stats, history)
  /// begins its name.
  StatisticsFile(std::string directory, ServerMode mode, std::string header,
                 std::string kind = "stats");
  /// Writes the buffered lines, if possible.
  ~StatisticsFile();
  StatisticsFile(const StatisticsFile&) = delete;
  StatisticsFile& operator=(const StatisticsFile&) = delete;

  /// Continues in another directory, where it also writes what could not be written yet.  Fails if
  /// the lines that were written may not survive a loss of power, and continues all the same.
  Status move_to(std::string directory);
  /// Returns the path of the file for jobs that end at `when`.
  std::string path(Time when) const;
  /// Returns the paths of the existing files for jobs that end at `when` or later, by the day.
  std::vector<std::string> paths_since(Time when);
  /// Returns the names of these files and how long they are.  The first is always there.
  std::map<std::string, std::uint64_t> lengths_since(Time when);
  /// Returns the complete lines among the last `most` bytes of each of these files.
  std::string tails_since(Time when, std::size_t most);
  /// Opens that file.
  Status prepare(Time when) { return open(path(when)); }
  /// Adds a line, which reaches the file at flush(), or earlier when the buffer is full.
  Status add(std::string_view record, Time when);
  /// True if add() will write such a line, and others, at once.
  bool writes_with(std::string_view record, Time when) const;
  Status flush();
  /// Returns the files written to since the last call, each once.
  std::vector<std::string> take_written() { return std::exchange(written_, {}); }
  /// Returns the number of bytes that could not be written yet.
  std::size_t unwritten() const;
  /// Discards the bytes that could not be written.
  void forget_unwritten() { unwritten_.clear(); }
  /// Protects the flushed lines from a loss of power.
  Status sync() { return file_.sync(); }

 private:
  Status open(const std::string& path);
  bool is_full(const std::string& path, std::size_t more) const;
  std::string name(Time when) const;
  const std::set<std::string>& names();

  std::string directory_;
  ServerMode mode_;
  std::string header_, kind_;
  LineFile file_;
  std::map<std::string, std::string> unwritten_;  // lines by file
  std::vector<std::string> written_;
  std::optional<std::set<std::string>> names_;  // of the existing files; nullopt: not looked up yet
};

}  // namespace maui
