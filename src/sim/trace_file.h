// Text files of traces, line by line, and what is wrong with them.
//
// Files may be compressed with gzip; a plain file is read the same way.  Every
// problem is named FILE:LINE and counted; the first ones of each file are kept.
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

  /// The next line without its newline; false at the end.  Valid until the next call.
  bool next(std::string_view& line);
  std::int64_t line() const { return line_; }  // of the line last read, from 1
  /// The file ended before the newline of that line.
  bool cut() const { return cut_; }
  /// Why reading ended before the end of the file, or empty.
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

/// Reports what is wrong in one file to a summary.
class TraceProblems {
 public:
  TraceProblems(std::string file, TraceSummary& summary)
      : file_(std::move(file)), summary_(summary) {}

  /// A line that cannot be used.
  void bad_line(std::int64_t line, std::string_view what);
  /// The line last read cannot be used; where the file ends within it, the file is damaged.
  void bad_line(const LineReader& lines, std::string_view what);
  /// From that line on the file cannot be read.
  void damage(std::int64_t line, std::string_view what);
  /// Something that a user should know, while no line is at fault.
  void note(std::int64_t line, std::string_view what);
  std::int64_t bad_lines() const { return bad_lines_; }
  /// For a file of which nothing remains: "no usable `records`", with the first problem.
  Error nothing_left(std::string_view records) const;
  const std::string& file() const { return file_; }

 private:
  std::string file_, first_;
  TraceSummary& summary_;
  std::int64_t bad_lines_ = 0;
  int kept_ = 0;
};

}  // namespace maui
