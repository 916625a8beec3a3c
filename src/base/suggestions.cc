#include "base/suggestions.h"

#include <algorithm>

#include "base/text.h"

namespace maui {
namespace {

/// True if the word needs no quotes on a command line.  Names may come from other users, and a
/// shell would execute parts of some.
bool needs_no_quotes(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("._-+@:,%/=").find(c) != std::string_view::npos;
  });
}

}  // namespace

CompletionRequest completion_request(std::span<const std::string> words) {
  const bool described = !words.empty() && words.front() == "--described";
  return {described, words.subspan(described ? 1 : 0)};
}

std::string suggestions_text(const CompletionRequest& request, Suggestions all) {
  const auto begun = request.begun();
  std::erase_if(all, [&](const Suggestion& suggestion) {
    return !needs_no_quotes(suggestion.word) ||
           !same_word(std::string_view(suggestion.word).substr(0, begun.size()), begun);
  });
  std::sort(all.begin(), all.end(),
            [](const Suggestion& a, const Suggestion& b) { return a.word < b.word; });
  const auto same = [](const Suggestion& a, const Suggestion& b) { return a.word == b.word; };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  std::string text;
  for (const auto& [word, help] : all) {
    text += word;
    if (request.described && !help.empty()) text += '\t' + help;
    text += '\n';
  }
  return text;
}

}  // namespace maui
