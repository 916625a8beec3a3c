// Parses reports of the site's own programs, one object a line (docs/resource-managers.md):
//   node01 STATE=Idle;CPROC=4;FEATURE=ib
//   job.1 STATE=Idle UNAME=ann WCLIMIT=3600
//
// Attributes are those of WIKI.  Each ends with a semicolon, or with blanks before the next; values
// that contain either stand in quotes.  Empty lines and lines that begin with '#' are ignored.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rm/wiki_record.h"

namespace maui::native {

/// Parses a report some lines at a time, so that the caller can do other work in between.  Notes
/// malformed text as a problem, and skips the attribute, or a line that reports nothing.  Merges
/// lines with the same name into one record.
class ReportReader {
 public:
  /// Requires that `text` outlives the reader.  `only_whole`: a writer may be at work on the file,
  /// so a last line without a line end is ignored.
  explicit ReportReader(std::string_view text, bool only_whole = false);
  /// Parses up to `most` more lines; returns true when there are no more.
  bool read(std::size_t most);
  /// Returns the records parsed so far.
  WikiRecords take();

 private:
  void take_line(std::string_view line);

  std::string_view rest_;
  std::vector<WikiRecord> records_;
  std::unordered_map<std::string, std::size_t> places_;  // indices in records_, by name
  WikiRecords found_;                                    // holds only problems until take()
};

/// Parses a whole report.
WikiRecords read_lines(std::string_view text, bool only_whole = false);

}  // namespace maui::native
