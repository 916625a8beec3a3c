// The pictures of a comparison.
#pragma once
#include <string>
#include <vector>

#include "compare/comparison.h"

namespace maui::compare {

struct Picture {
  std::string name;  // of its file, without .svg
  std::string title;
  std::string drawing;  // SVG
};

/// Processors in use and waiting jobs over time, how long jobs wait, and the mean wait by size;
/// each with all runs.
std::vector<Picture> pictures_of(const Comparison& comparison);

}  // namespace maui::compare
