// Finds what may stand next on the command line of a command: its flags, and the names that the
// server knows.  Shells ask for it with `maui_client --complete WORDS...` (etc/completion).
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

/// Asks the server with a command that needs no flags; nothing where it does not answer.
using AskQuickly = std::function<std::optional<Reply>(std::string_view command)>;

/// The words that may take the place of the last one of `words`, which stand behind the command;
/// some may begin otherwise.  Empty: nothing is known of such words, a file's name may do.
Suggestions completions(const CommandSpec& spec, std::span<const std::string> words,
                        const AskQuickly& ask);

}  // namespace maui
