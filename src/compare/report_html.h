// A comparison as one page of HTML that needs nothing else: pictures, and the numbers beside them.
#pragma once
#include <string>
#include <vector>

#include "compare/comparison.h"

namespace maui::compare {

/// No request leaves the page: it has no scripts, and its policy forbids everything but its style.
std::string comparison_html(const Comparison& comparison, const std::vector<Judgement>& judgements);

}  // namespace maui::compare
