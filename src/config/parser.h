// Splits the lines of maui.cfg (guide 3.4) into a name and words between
// blanks.  '#' at the beginning of a word starts a comment; quotes, single or
// double, keep blanks and '#' within a word.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "config/value_type.h"
#include "maui/result.h"

namespace maui::config {

struct Line {
  int number = 0;
  std::string name;  // with its index, as written
  Words words;
  std::string error;  // not empty: the line could not be parsed
};

/// Returns the lines that are neither empty nor a comment, in order.
std::vector<Line> parse_lines(std::string_view text);

/// Returns the words of a value that was given in `parts`, as if they stood in a line behind its
/// name, with blanks between them.  An empty part is an empty word.
Result<Words> parse_value(const std::vector<std::string>& parts);

}  // namespace maui::config
