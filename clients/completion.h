// Finds the words that can come next on a command line: the command's flags, and names that the
// server knows.  Shells call it with `maui_client --complete WORDS...` (etc/completion).
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/suggestions.h"
#include "maui/command.h"
#include "maui/reply.h"

namespace maui {

/// Queries the server with a command without flags; nullopt if there is no answer.
using AskQuickly = std::function<std::optional<Reply>(std::string_view command)>;

/// Returns candidates for the last of `words`, which follow the command; some may not match its
/// beginning.  Empty: no candidates are known; the word may be a file name.
Suggestions completions(const CommandSpec& spec, std::span<const std::string> words,
                        const AskQuickly& ask);

}  // namespace maui
