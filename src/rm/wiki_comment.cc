#include "rm/wiki_comment.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "model/job_extensions.h"

namespace maui {
namespace {

// Names of extensions as servers write them, and maui's names for the same extensions.
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

// A comma may separate extensions, as in "qos:high,class:batch", or belong to a value.
bool begins_extension(std::string_view text) {
  const auto mark = text.find_first_of(":=,;?");
  if (mark == std::string_view::npos || (text[mark] != ':' && text[mark] != '=')) return false;
  const auto word = trimmed(text.substr(0, mark));
  static const auto names = extension_names();
  return same_word(word, "class") ||
         std::any_of(names.begin(), names.end(), [&](auto name) { return same_word(word, name); });
}

/// Returns true if the text begins with a dependency in Slurm's notation.
bool begins_dependency(std::string_view text) {
  constexpr std::array<std::string_view, 7> kKinds{
      "after", "afterany", "afterok", "afternotok", "aftercorr", "expand", "singleton"};
  const auto kind = text.substr(0, text.find_first_of(":,?"));
  return std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end();
}

}  // namespace

std::string_view take_dependencies_of_slurm(std::string_view& comment) {
  constexpr std::string_view kMark = "DEPEND=";
  if (!comment.starts_with(kMark) || !begins_dependency(comment.substr(kMark.size()))) return {};
  auto end = comment.find('?');
  while (end < comment.size() && begins_dependency(comment.substr(end + 1)))
    end = comment.find('?', end + 1);
  end = std::min(end, comment.size());
  const auto words = comment.substr(kMark.size(), end - kMark.size());
  comment.remove_prefix(std::min(end + 1, comment.size()));
  return words;
}

std::vector<Dependency> certain_dependencies(std::string_view words) {
  std::vector<Dependency> certain;
  if (words.size() > kLongestComment || any_will_do(words)) return certain;
  for (const auto item : split(words, ','))
    for (Dependency& dependency : parse_dependencies(item).value_or(std::vector<Dependency>())) {
      // Slurm keeps the record of an array until all its tasks have ended.
      if (dependency.job.ends_with("_*")) dependency.job.resize(dependency.job.size() - 2);
      if (dependency.job.find('_') != std::string::npos) continue;
      dependency.theirs = true;
      certain.push_back(std::move(dependency));
    }
  return certain;
}

std::string extensions_in(std::string_view comment) {
  std::string text(comment);
  if (text.size() > kLongestComment) return text;  // too long to be real
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
