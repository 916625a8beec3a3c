// Reads text files of traces line by line and reports problems in them.
//
// Files may be compressed with gzip or plain.  Every problem is reported as FILE:LINE and counted;
// the messages of the first problems of each file are kept.
#pragma once
#include <zlib.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "maui/result.h"
#include "sim/trace_summary.h"

namespace maui {

class LineReader {
 public:
  static Result<LineReader> open(const std::string& path);

  /// Reads the next line, without its newline; false at the end.  Valid until the next call.
  bool next(std::string_view& line);
  std::int64_t line() const { return line_; }  // number of the last line read, from 1
  /// True if the file ended before the newline of the last line read.
  bool cut() const { return cut_; }
  /// Returns why reading stopped before the end of the file, or empty.
  std::string damage() const { return damage_; }

 private:
  struct Close {
    void operator()(gzFile file) const { gzclose(file); }
  };
  bool fill();

  std::unique_ptr<gzFile_s, Close> file_;
  std::string buffer_;
  std::size_t at_ = 0;
  std::int64_t line_ = 0;
  bool ended_ = false;
  bool cut_ = false;
  std::string damage_;
};

/// Reports the problems of one file to a summary.
class TraceProblems {
 public:
  TraceProblems(std::string file, TraceSummary& summary)
      : file_(std::move(file)), summary_(summary) {}

  /// Reports an unusable line.
  void bad_line(std::int64_t line, std::string_view what);
  /// Reports the last line read as unusable; the file is damaged if it ends within this line.
  void bad_line(const LineReader& lines, std::string_view what);
  /// Reports that the file cannot be read from this line on.
  void damage(std::int64_t line, std::string_view what);
  /// Reports something about a line that users should know, although no line is wrong.
  void note(std::int64_t line, std::string_view what);
  std::int64_t bad_lines() const { return bad_lines_; }
  /// Returns the error for a file without usable `records`, with the first problem.
  Error nothing_left(std::string_view records) const;
  const std::string& file() const { return file_; }

 private:
  std::string file_, first_;
  TraceSummary& summary_;
  std::int64_t bad_lines_ = 0;
  int kept_ = 0;
};

}  // namespace maui
