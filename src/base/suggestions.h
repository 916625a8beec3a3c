// Suggestions for the next word of a command line, for completion by a shell.
//
// A program prints them for `--complete PROGRAM WORD...`, one word per line; after `--complete
// --described`, a tab and the word's meaning follow.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace maui {

struct Suggestion {
  std::string word, help;
};
using Suggestions = std::vector<Suggestion>;

/// The words after --complete.
struct CompletionRequest {
  bool described = false;
  std::span<const std::string> words;  // the program's name first; the last is being typed
  /// Returns the last word; empty if there is none.
  std::string_view begun() const {
    return words.empty() ? std::string_view() : std::string_view(words.back());
  }
};
CompletionRequest completion_request(std::span<const std::string> words);

/// Lists the suggestions that begin like the last word, in order, each once.  Omits words that a
/// shell would require quotes for.
std::string suggestions_text(const CompletionRequest& request, Suggestions all);

}  // namespace maui
