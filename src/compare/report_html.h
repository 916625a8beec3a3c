// A comparison as one self-contained page of HTML, with pictures and numbers.
#pragma once
#include <string>
#include <vector>

#include "compare/comparison.h"

namespace maui::compare {

/// The page sends no requests: it has no scripts, and its policy forbids all but its own style.
std::string comparison_html(const Comparison& comparison, const std::vector<Judgement>& judgements);

}  // namespace maui::compare
