// `maui compare`, from its command line to its exit status.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace maui::compare {

/// `words` follow "compare".  0: all is well; 1: input that cannot be used, or a run that did not
/// come to its end; 2: wrong usage; 3: an expectation is not met.
int run_compare(std::span<const std::string> words, std::string_view version);

}  // namespace maui::compare
