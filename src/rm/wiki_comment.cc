#include "rm/wiki_comment.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "model/job_extensions.h"

namespace maui {
namespace {

// Parts of a comment as servers write them, and what the extensions call the same.
struct OtherName {
  std::string_view theirs, ours;
};
constexpr std::array<OtherName, 4> kOtherNames{{
    {"NACCESSPOLICY", "ACCESSMODE"},
    {"JOBFLAGS", "FLAGS"},
    {"singlejob", "DEDICATED"},
    {"exclusive", "DEDICATED"},
}};

std::string_view our_name(std::string_view word) {
  for (const auto& [theirs, ours] : kOtherNames)
    if (same_word(word, theirs)) return ours;
  return word;
}

// A comma goes before another extension, as in "qos:high,class:batch", or within a value.
bool begins_extension(std::string_view text) {
  const auto mark = text.find_first_of(":=,;?");
  if (mark == std::string_view::npos || (text[mark] != ':' && text[mark] != '=')) return false;
  const auto word = trimmed(text.substr(0, mark));
  const auto names = extension_names();
  return same_word(word, "class") ||
         std::any_of(names.begin(), names.end(), [&](auto name) { return same_word(word, name); });
}

}  // namespace

std::string extensions_in(std::string_view comment) {
  std::string text(comment);
  if (text.size() > kLongestComment) return text;  // nobody reads it
  std::replace(text.begin(), text.end(), '?', ';');
  for (std::size_t at = text.find(','); at != std::string::npos; at = text.find(',', at + 1))
    if (begins_extension(std::string_view(text).substr(at + 1))) text[at] = ';';
  std::string ours;
  for (const auto part : split(text, ';')) {
    const auto mark = std::min(part.find_first_of(":="), part.size());
    ours += our_name(trimmed(part.substr(0, mark)));
    if (mark < part.size()) {
      const auto value = part.substr(mark + 1);
      ours += part[mark];
      ours += our_name(value);
    }
    ours += ';';
  }
  if (ours.ends_with(';')) ours.pop_back();
  return ours;
}

}  // namespace maui
