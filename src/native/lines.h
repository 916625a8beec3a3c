// Reads what the site's own programs tell, an object a line (docs/resource-managers.md):
//   node01 STATE=Idle;CPROC=4;FEATURE=ib
//   job.1 STATE=Idle UNAME=ann WCLIMIT=3600
//
// Attributes are WIKI's.  A semicolon stands behind each, or blanks before the next; values with
// either stand in quotes.  Empty lines and those that begin with '#' are passed over.
#pragma once
#include <string_view>

#include "rm/wiki_record.h"

namespace maui::native {

/// The records of a text.  What cannot be read is a problem: it costs the attribute, or the line if
/// that tells of nothing.  Two lines of one name are one record.
WikiRecords read_lines(std::string_view text);

/// The same of a text that somebody may be writing just now: a last line that does not end is not
/// read.
WikiRecords read_whole_lines(std::string_view text);

}  // namespace maui::native
