// Words that may stand next on a command line, for a shell that completes what its user types.
//
// A program prints it for `--complete PROGRAM WORD...`: a word a line; behind `--complete
// --described` a tab and its meaning follow.
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

/// The words behind --complete.
struct CompletionRequest {
  bool described = false;
  std::span<const std::string> words;  // the program's name first; the last is being typed
  /// The last word; empty: there is none.
  std::string_view begun() const {
    return words.empty() ? std::string_view() : std::string_view(words.back());
  }
};
CompletionRequest completion_request(std::span<const std::string> words);

/// Lists those that begin as the last word does, in order, each once.  Words that a shell would
/// carry out are left out.
std::string suggestions_text(const CompletionRequest& request, Suggestions all);

}  // namespace maui
