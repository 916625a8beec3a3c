// The record of every job that ended (guide 9.2.2, 16.3): stats.sim of a simulation, which is
// appended to run after run, or a file a day, stats.YYYY_MM_DD, of live operation.
//
// The history's own lines (history/event_line.h) are written in the same way.  A record
// that cannot be written is kept, and written with the next.
#pragma once
#include <map>
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
  /// `directory` is made if it is not there.  `header` begins every new file, whose name `kind`
  /// begins: stats, or history.
  StatisticsFile(std::string directory, ServerMode mode, std::string header,
                 std::string kind = "stats");
  /// Writes what has gathered, if it can be written.
  ~StatisticsFile();
  StatisticsFile(const StatisticsFile&) = delete;
  StatisticsFile& operator=(const StatisticsFile&) = delete;

  /// The file for jobs that end at `when`.
  std::string path(Time when) const;
  /// Has that file open.
  Status prepare(Time when) { return open(path(when)); }
  /// Adds a line.  It is in the file after flush(), or when enough has gathered.
  Status add(std::string_view record, Time when);
  Status flush();
  /// The files that were added to since this was asked last, each once.
  std::vector<std::string> take_written() { return std::exchange(written_, {}); }
  /// Bytes that could not be written yet.
  std::size_t unwritten() const;
  /// Gives them up.
  void forget_unwritten() { unwritten_.clear(); }
  /// A loss of power does not undo what was flushed.
  Status sync() { return file_.sync(); }

 private:
  Status open(const std::string& path);

  std::string directory_;
  ServerMode mode_;
  std::string header_, kind_;
  LineFile file_;
  std::map<std::string, std::string> unwritten_;  // lines by file
  std::vector<std::string> written_;
};

}  // namespace maui
