// Prints of release 3.3, as the shapes of its lines (tests/data/transcripts/README.md).
#pragma once
#include <string>
#include <vector>

#include "maui/result.h"

namespace maui::shapes {

/// A line that is expected, or one of several kinds of rows that are.
struct Line {
  enum class Count { once, some, any };
  Count count = Count::once;
  bool pattern = false;  // the text is a regular expression
  std::string text;
  int number = 0;  // in the file
};

struct Answer {
  std::string command;
  std::vector<Line> lines;
  std::vector<std::string> order = {};  // of rows that begin with these names
};

/// Reads a file of expected answers.
Result<std::vector<Answer>> parse_transcript(const std::string& text, const std::string& name);

/// Says in which line the answer printed differs, or which row is out of order; empty if in none.
std::string compare(const Answer& expected, const std::vector<std::string>& printed);

}  // namespace maui::shapes
