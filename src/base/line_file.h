// A file of lines that is only appended to: records of jobs, debits.
//
// A line is written completely or not at all, even if the disk is full or the process ends during
// the write: an incomplete last line is cut off when the file is next opened, so that later lines
// are not appended to it.  The caller must write that line again.  If something else, like a fault
// of a file server, cuts a line while the file is open, what is left of it is cut off before the
// next line is appended.
#pragma once
#include <cstddef>
#include <cstdint>
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

  /// Opens this file in place of the current one; creates it and its directory if necessary.
  Status open(const std::string& path);
  bool is_open() const { return file_ >= 0; }
  const std::string& path() const { return path_; }
  /// True if the open file is still the one at its path: it may have been moved away or deleted.
  bool in_place() const;
  bool empty() const;
  /// Returns the complete lines among the file's last `most` bytes.
  std::string tail(std::size_t most) const;

  /// Appends complete lines, ends included; on a failure appends none and closes the file.
  /// Requires that the file is open.
  Status append(std::string_view lines);
  /// Flushes appended lines to the disk, so that they survive a power failure.
  Status sync();
  void close();

 private:
  Status end_last_line();
  Status failure(std::string_view what) const;

  int file_ = -1;
  std::string path_;
  std::int64_t whole_ = 0;  // the size of the file up to which all lines are complete
  bool unsynced_ = false;
};

}  // namespace maui
