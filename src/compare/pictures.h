// Draws the pictures of a comparison.
#pragma once
#include <string>
#include <vector>

#include "compare/comparison.h"

namespace maui::compare {

struct Picture {
  std::string name;  // of the file, without .svg
  std::string title;
  std::string drawing;  // SVG
};

/// Returns pictures of all runs: processors in use and waiting jobs over time, the distribution of
/// waits, and the mean wait by size.
std::vector<Picture> pictures_of(const Comparison& comparison);

}  // namespace maui::compare
