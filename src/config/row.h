// Parameters as rows of a listing.
#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace maui::config {

struct Row {
  std::string name;   // with the index, if the parameter has one
  std::string value;  // as maui.cfg would have it
  bool is_default = false;
};

struct Listing {
  std::vector<Row> rows;  // named as in release 3.3
  /// Lines that precede the row with that index: a heading, or a blank line.
  std::vector<std::pair<std::size_t, std::string>> headings;
};

}  // namespace maui::config
