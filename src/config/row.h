// Parameters as rows of a listing.
#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace maui::config {

struct Row {
  std::string name;   // with its index, where the parameter has one
  std::string value;  // as it would be written in maui.cfg
  bool is_default = false;
};

struct Listing {
  std::vector<Row> rows;  // named as in that release
  /// Lines that stand before the row of that index: a heading, or a blank line.
  std::vector<std::pair<std::size_t, std::string>> headings;
};

}  // namespace maui::config
