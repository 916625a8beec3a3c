// The shape of an output line: its words and columns, with classes for numbers, times and names.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace maui::shapes {

/// A word of a line.  If `kind` is not empty, the text may vary.
struct Token {
  std::string text;
  std::string kind;  // the word with its numbers and names as classes: "'{name}'(x{n})"
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Returns the words of a line; a date is one word.
std::vector<Token> tokens(std::string_view line);

/// True if two lines have the same words and columns.  A column may be aligned left or right, or at
/// a colon or a slash; text without columns must keep the width of its gaps.
bool same_shape(std::string_view expected, std::string_view line);

}  // namespace maui::shapes
