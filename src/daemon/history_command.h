// The command maui history: shows what the history contains, and rebuilds it.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "base/suggestions.h"

namespace maui {

/// Returns the command's options, for shell completion.
Suggestions history_suggestions();
/// Returns the exit status: 0 success, 1 failure, 2 wrong usage.
int run_history(std::span<const std::string> words, std::string_view version);

}  // namespace maui
