#include "native/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "base/outside_text.h"
#include "base/text.h"

namespace maui::native {
namespace {

constexpr auto npos = std::string_view::npos;
constexpr std::string_view kBlanks = " \t\r";

bool is_blank(char c) { return kBlanks.find(c) != npos; }
bool may_stand_in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '[' ||
         c == ']';
}

/// Returns the length of NAME if the text begins with NAME=; otherwise 0.
std::size_t name_at(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), may_stand_in_name);
  const auto length = static_cast<std::size_t>(end - text.begin());
  return end != text.end() && *end == '=' ? length : 0;
}

/// Blanks separate attributes only if the next name is in capitals, because the words of values
/// rarely are.
bool begins_attribute(std::string_view text) {
  const auto name = text.substr(0, name_at(text));
  return !name.empty() && std::none_of(name.begin(), name.end(),
                                       [](unsigned char c) { return std::islower(c) != 0; });
}

/// Returns the position where an unquoted value ends.
std::size_t end_of_plain(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else if (text[at] == ';')
      return at;
    else if (is_blank(text[at]) && begins_attribute(text.substr(at + 1)))
      return at;
  }
  return text.size();
}

/// Returns the position after the closing quote of a quoted value; npos: the value is not quoted.
std::size_t end_of_quoted(std::string_view text) {
  if (text.empty() || (text.front() != '"' && text.front() != '\'')) return npos;
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == text.front()) {
      const auto behind = text.substr(at + 1);
      const bool ends = behind.empty() || behind.front() == ';' || is_blank(behind.front());
      return ends ? at + 1 : npos;
    }
  }
  return npos;
}

/// Removes a value from the front of the text, and returns it in WIKI's form, with double quotes.
std::string take_value(std::string_view& text) {
  const auto quoted = end_of_quoted(text);
  const auto end = quoted == npos ? end_of_plain(text) : quoted;
  std::string value(trimmed(text.substr(0, end)));
  if (quoted != npos) value.front() = value.back() = '"';
  text.remove_prefix(end);
  return value;
}

/// Removes the name of a node or job from the front: it ends before a blank, or, as in WIKI, before
/// a colon that an attribute follows.
std::string take_id(std::string_view& text) {
  std::size_t at = 0;
  while (at < text.size() && !is_blank(text[at]) &&
         !(text[at] == ':' && begins_attribute(text.substr(at + 1))))
    ++at;
  std::string id(text.substr(0, at));
  text.remove_prefix(std::min(at + 1, text.size()));
  return id;
}

/// Parses a line, and notes what it has to skip.
WikiRecord read_line(std::string_view text, WikiRecords& found) {
  WikiRecord record;
  bool kept = true;
  record.id = take_id(text);
  while (true) {
    const auto begin =
        std::find_if_not(text.begin(), text.end(), [](char c) { return is_blank(c) || c == ';'; });
    text.remove_prefix(static_cast<std::size_t>(begin - text.begin()));
    if (text.empty()) break;
    const auto name = text.substr(0, name_at(text));
    if (name.empty()) {
      const auto end = std::min(text.find_first_of(" \t\r;"), text.size());
      found.note(fmt::format("{}: invalid attribute '{}': expected NAME=VALUE", record.id,
                             shortened(text.substr(0, end))));
      text.remove_prefix(end);
      continue;
    }
    text.remove_prefix(name.size() + 1);
    kept = record.set(upper(name), take_value(text)) && kept;
  }
  if (!kept) found.note(too_many_attributes(record));
  return record;
}

}  // namespace

ReportReader::ReportReader(std::string_view text, bool only_whole) : rest_(text) {
  if (!only_whole) return;
  const auto whole = text.rfind('\n') + 1;  // npos + 1 is 0
  if (!trimmed(text.substr(whole)).empty())
    found_.note("its last line is incomplete: it may still be being written");
  rest_ = text.substr(0, whole);
}

void ReportReader::take_line(std::string_view line) {
  WikiRecords passed_over;
  auto record = read_line(line, passed_over);
  if (record.id.empty() || record.attributes.empty())
    return found_.note(
        fmt::format("invalid line '{}': expected NAME ATTRIBUTE=VALUE;...", shortened(line)));
  for (auto& problem : passed_over.problems) found_.note(std::move(problem));
  const auto [place, is_new] = places_.emplace(record.id, records_.size());
  if (is_new)
    records_.push_back(std::move(record));
  else if (auto& known = records_[place->second]; !known.merge(record))
    found_.note(too_many_attributes(known));
}

bool ReportReader::read(std::size_t most) {
  for (; most > 0 && !rest_.empty(); --most) {
    const auto end = std::min(rest_.find('\n'), rest_.size());
    const auto line = trimmed(rest_.substr(0, end));
    if (!line.empty() && line.front() != '#') take_line(line);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
  }
  return rest_.empty();
}

WikiRecords ReportReader::take() {
  for (WikiRecord& record : records_) found_.add(std::move(record));
  return std::move(found_);
}

WikiRecords read_lines(std::string_view text, bool only_whole) {
  ReportReader reader(text, only_whole);
  while (!reader.read(text.size())) {
  }
  return reader.take();
}

}  // namespace maui::native
