// Reads what the site's own programs report, an object a line (docs/resource-managers.md):
//   node01 STATE=Idle;CPROC=4;FEATURE=ib
//   job.1 STATE=Idle UNAME=ann WCLIMIT=3600
//
// Attributes are WIKI's.  A semicolon stands behind each, or blanks before the next; values with
// either stand in quotes.  Empty lines and those that begin with '#' are passed over.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rm/wiki_record.h"

namespace maui::native {

/// Reads the records of a report some lines at a time, so that others can do something meanwhile.
/// Anything that cannot be read is a problem: it costs the attribute, or the line if that reports
/// nothing. Two lines of one name are one record.
class ReportReader {
 public:
  /// `text` outlives this.  `only_whole`: somebody may be writing it just now, and a last line that
  /// does not end is not read.
  explicit ReportReader(std::string_view text, bool only_whole = false);
  /// Reads so many more; true: there are no others.
  bool read(std::size_t most);
  /// Those that have been read.
  WikiRecords take();

 private:
  void take_line(std::string_view line);

  std::string_view rest_;
  std::vector<WikiRecord> records_;
  std::unordered_map<std::string, std::size_t> places_;  // of names among the records
  WikiRecords found_;                                    // no records yet
};

/// All of them.
WikiRecords read_lines(std::string_view text, bool only_whole = false);

}  // namespace maui::native
