// Output of release 3.3 as the shapes of its lines (tests/data/transcripts/README.md).
#pragma once
#include <string>
#include <vector>

#include "maui/result.h"

namespace maui::shapes {

/// An expected line, or one of several expected kinds of rows.
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
  std::vector<std::string> order = {};  // rows with these names must be in this order
};

/// Reads a file of expected answers.
Result<std::vector<Answer>> parse_transcript(const std::string& text, const std::string& name);

/// Returns the line in which `printed` differs, or the row that is out of order; empty: none.
std::string compare(const Answer& expected, const std::vector<std::string>& printed);

}  // namespace maui::shapes
