#include "rm/wiki_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/outside_text.h"
#include "base/text.h"

namespace maui {
namespace {

constexpr auto npos = std::string_view::npos;
constexpr std::string_view kMeaningful = "#;:\\";
constexpr std::size_t kMostProblems = 100;

// Returns the position of the first unescaped mark of `marks`, or the end of the text.
std::size_t find_mark(std::string_view text, std::string_view marks) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else if (marks.find(text[at]) != npos)
      return at;
  }
  return text.size();
}

// Returns where a value ends; a quoted value ends after its quotation mark.
std::size_t end_of_value(std::string_view text) {
  if (text.starts_with('"')) {
    const auto close = find_mark(text.substr(1), "\"");
    if (const auto next = close + 2; next <= text.size())
      return next + find_mark(text.substr(next), "#;");
  }
  return find_mark(text, "#;");
}

std::string_view without_quotes(std::string_view value) {
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
    return value.substr(1, value.size() - 2);
  return value;
}

std::string unescaped(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool escape = text[at] == '\\' && at + 1 < text.size() &&
                        (kMeaningful.find(text[at + 1]) != npos || text[at + 1] == '"');
    plain += text[escape ? ++at : at];
  }
  return plain;
}

// Removes a record and the following '#' from the front of the text.
WikiRecord take_record(std::string_view& text, WikiRecords& found) {
  WikiRecord record;
  bool kept = true;
  const auto colon = find_mark(text, ":#");
  record.id = unescaped(trimmed(text.substr(0, colon)));
  text.remove_prefix(colon);
  while (!text.empty() && text.front() != '#') {
    text.remove_prefix(1);  // the preceding ':' or ';'
    const auto mark = find_mark(text, "=;#");
    const auto name = trimmed(text.substr(0, mark));
    text.remove_prefix(mark);
    if (!text.starts_with('=')) {
      if (!name.empty())
        found.note(fmt::format("{}: invalid attribute '{}': expected NAME=VALUE", record.id,
                               name.substr(0, 40)));
      continue;
    }
    text.remove_prefix(1);
    const auto end = end_of_value(text);
    kept = record.set(name, text.substr(0, end)) && kept;
    text.remove_prefix(end);
  }
  if (!kept) found.note(too_many_attributes(record));
  if (!text.empty()) text.remove_prefix(1);
  return record;
}

}  // namespace

const std::string* WikiRecord::find(std::string_view name) const {
  const auto at = std::find_if(attributes.begin(), attributes.end(),
                               [&](const auto& attribute) { return attribute.first == name; });
  return at == attributes.end() ? nullptr : &at->second;
}

bool WikiRecord::set(std::string_view name, std::string_view value) {
  const auto at = std::find_if(attributes.begin(), attributes.end(),
                               [&](const auto& attribute) { return attribute.first == name; });
  if (at == attributes.end() && attributes.size() == kMostAttributes) {
    cut = true;
    return false;
  }
  if (at != attributes.end())
    at->second = value;
  else
    attributes.emplace_back(name, value);
  return true;
}

bool WikiRecord::merge(const WikiRecord& newer) {
  bool kept = true;
  for (const auto& [name, value] : newer.attributes) kept = set(name, value) && kept;
  cut = cut || newer.cut;
  return kept;
}

std::size_t WikiRecord::length() const {
  std::size_t bytes = id.size();
  for (const auto& [name, value] : attributes) bytes += name.size() + value.size();
  return bytes;
}

SharedWikiRecord shared(WikiRecord record) {
  return std::make_shared<const WikiRecord>(std::move(record));
}

void WikiRecords::add(WikiRecord record) {
  if (record.id.size() > kLongestValue)
    return note(fmt::format("a record with a name of more than {} bytes was ignored: '{}'",
                            kLongestValue, shortened(record.id, 40)));
  records.push_back(shared(std::move(record)));
}

void WikiRecords::note(std::string problem) {
  if (problems.size() < kMostProblems) problems.push_back(std::move(problem));
}

std::string too_many_attributes(const WikiRecord& record) {
  return fmt::format("{}: more than {} attributes; the others are ignored", record.id,
                     kMostAttributes);
}

Result<WikiRecordReader> WikiRecordReader::of(std::string_view data) {
  const auto mark = std::min(data.find('#'), data.size());
  const auto count = parse_integer<std::size_t>(trimmed(data.substr(0, mark)));
  if (!count)
    return Error{
        fmt::format("invalid list '{}': expected COUNT#RECORD#RECORD...", data.substr(0, 40))};
  WikiRecordReader reader;
  reader.rest_ = data.substr(std::min(mark + 1, data.size()));
  reader.announced_ = *count;
  return reader;
}

bool WikiRecordReader::read(std::size_t most, std::size_t bytes) {
  const std::size_t left = rest_.size() - std::min(bytes, rest_.size());
  for (; !trimmed(rest_).empty(); --most) {
    if (most == 0 || rest_.size() <= left) return false;
    auto record = take_record(rest_, found_);
    if (record.id.empty())
      found_.note("a record without a name was ignored");
    else
      found_.add(std::move(record));
  }
  if (found_.records.size() != announced_)
    found_.note(fmt::format("received {}, {} {} announced",
                            counted(found_.records.size(), "record"), announced_,
                            by_number(announced_, "was", "were")));
  return true;
}

Result<WikiRecords> read_wiki_records(std::string_view data) {
  auto reader = WikiRecordReader::of(data);
  if (!reader) return reader.error();
  reader->read(std::string_view::npos, std::string_view::npos);
  return std::move(reader->found());
}

std::string write_wiki(const WikiRecord& record) {
  auto text = wiki_escaped(record.id) + ':';
  for (const auto& [name, value] : record.attributes) text += name + '=' + value + ';';
  return text;
}

std::string write_wiki_records(std::span<const std::string> records) {
  return fmt::format("{}#{}", records.size(), join(records, "#"));
}

std::string wiki_text(std::string_view value) { return unescaped(without_quotes(value)); }

std::vector<std::string> wiki_list(std::string_view value) {
  value = without_quotes(value);
  std::vector<std::string> items;
  while (!value.empty()) {
    const auto end = find_mark(value, ":,");
    if (end > 0) items.push_back(unescaped(value.substr(0, end)));
    value.remove_prefix(std::min(end + 1, value.size()));
  }
  return items;
}

std::string wiki_escaped(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    if (kMeaningful.find(c) != npos) escaped += '\\';
    escaped += c;
  }
  return escaped.starts_with('"') ? '\\' + escaped : escaped;
}

std::string wiki_joined(std::span<const std::string> items) {
  std::string text;
  for (const auto& item : items) {
    if (!text.empty()) text += ':';
    text += wiki_escaped(item);
  }
  return text;
}

}  // namespace maui
