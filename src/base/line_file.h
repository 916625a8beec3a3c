// A file of lines that only grows: records of jobs, debits.
//
// A line is in it whole or not at all, also where the disk is full or the process ends while it is
// written: what stands behind the last line's end is cut off when the file is opened again, so that
// nothing is glued to it.  Whoever wrote it writes the line again.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "maui/result.h"

namespace maui {

class LineFile {
 public:
  LineFile() = default;
  ~LineFile() { close(); }
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  /// Opens this file instead of another; it and its folder are made if they are not there.
  Status open(const std::string& path);
  bool is_open() const { return file_ >= 0; }
  const std::string& path() const { return path_; }
  bool empty() const;
  /// The whole lines of its last `most` bytes.
  std::string tail(std::size_t most) const;

  /// Adds whole lines, ends included: all of them, or none and the file is closed.  Requires that
  /// it is open.
  Status append(std::string_view lines);
  /// Makes what was added survive a loss of power.
  Status sync();
  void close();

 private:
  Status failure(std::string_view what) const;

  int file_ = -1;
  std::string path_;
  bool unsynced_ = false;
};

}  // namespace maui
