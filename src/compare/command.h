// Implements `maui compare`, from its command line to its exit status.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace maui::compare {

/// Runs the command with the `words` that follow "compare".  Returns 0: success; 1: unusable input
/// or an unfinished run; 2: wrong usage; 3: an expectation is not met.
int run_compare(std::span<const std::string> words, std::string_view version);

}  // namespace maui::compare
