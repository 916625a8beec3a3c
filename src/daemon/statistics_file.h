// The record of every job that ended (guide 9.2.2, 16.3): stats.sim of a simulation, which is
// appended to run after run, or a file a day, stats.YYYY_MM_DD, of live operation.
#pragma once
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "maui/result.h"
#include "maui/settings.h"
#include "maui/units.h"

namespace maui {

class StatisticsFile {
 public:
  /// `directory` is made if it is not there.  `header` begins every new file.
  StatisticsFile(std::string directory, ServerMode mode, std::string header);
  ~StatisticsFile();

  /// The file for jobs that end at `when`.
  std::string path(Time when) const;
  /// Has that file open.
  Status prepare(Time when);
  /// Adds a line.  It is in the file after flush(), or when enough has gathered.
  Status add(std::string_view record, Time when);
  Status flush();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  Status open(const std::string& path);
  Status failure(std::string_view what) const;

  std::string directory_;
  ServerMode mode_;
  std::string header_;
  std::string open_path_;
  std::unique_ptr<std::FILE, Close> file_;
  Time day_begins_{0}, day_ends_{0};  // while open_path_ is right
};

}  // namespace maui
