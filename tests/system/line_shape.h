// The shape of a line of output: its words and columns, with numbers, times and names as classes.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace maui::shapes {

/// A word of a line.  Where the class is not empty, the text may differ from case to case.
struct Token {
  std::string text;
  std::string kind;  // the word with its numbers and names as classes: "'{name}'(x{n})"
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The words of a line, a date being one.
std::vector<Token> tokens(std::string_view line);

/// True if two lines have the same words and columns.  A column may be flush left or right or
/// stand around a colon or a slash; text without columns keeps the width of its gaps.
bool same_shape(std::string_view expected, std::string_view line);

}  // namespace maui::shapes
