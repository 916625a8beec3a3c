// maui history: what the history holds, and how it is made anew.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "base/suggestions.h"

namespace maui {

/// Its options, for a shell.
Suggestions history_suggestions();
/// The exit status: 0 done, 1 it cannot be, 2 wrong usage.
int run_history(std::span<const std::string> words, std::string_view version);

}  // namespace maui
