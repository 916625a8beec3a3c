#include "sim/trace_fields.h"

#include <fmt/format.h>

#include <cctype>
#include <limits>

#include "base/percent.h"
#include "base/text.h"

namespace maui {
namespace {

constexpr std::size_t kShown = 60;  // characters of a wrong value shown in a message

std::string_view shortened(std::string_view value) { return value.substr(0, kShown); }

/// Checks a VERSION line; returns what is wrong with it, or nullopt.
std::optional<std::string> version_problem(std::string_view line) {
  const auto parts = words(line);
  if (parts.size() == 2 && parse_integer<int>(parts[1]).value_or(0) > 0) return std::nullopt;
  return fmt::format("invalid line '{}': expected VERSION and the format's number", line);
}

}  // namespace

void TraceFields::fail(std::size_t field, std::string_view expected) {
  if (problem_) return;
  problem_ = fmt::format("invalid field {} ({}) '{}': expected {}", field, names_[field - 1],
                         shortened(words_[field - 1]), expected);
}

std::string_view TraceFields::text(std::size_t field) const {
  const auto word = words_[field - 1];
  return word == kNoValue ? std::string_view() : word;
}

std::string TraceFields::value(std::size_t field) const { return percent_unescaped(text(field)); }

std::string TraceFields::name(std::size_t field) const {
  const auto word = text(field);
  return word == "[DEFAULT]" || word == "0" ? std::string() : percent_unescaped(word);
}

std::string TraceFields::required(std::size_t field) {
  if (text(field).empty()) fail(field, "a name");
  return value(field);
}

std::int64_t TraceFields::integer(std::size_t field, std::int64_t otherwise, std::int64_t least,
                                  std::int64_t most, std::string_view expected) {
  const auto word = text(field);
  if (word.empty()) return otherwise;
  const auto value = parse_integer<std::int64_t>(word);
  if (value && *value >= least && *value <= most) return *value;
  fail(field, expected);
  return otherwise;
}

double TraceFields::number(std::size_t field, double otherwise, double least,
                           std::string_view expected) {
  const auto word = text(field);
  if (word.empty()) return otherwise;
  const auto value = parse_number(word);
  if (value && *value >= least) return *value;
  fail(field, expected);
  return otherwise;
}

std::int32_t TraceFields::size(std::size_t field, std::int32_t otherwise, bool round_up) {
  const auto word = text(field);
  if (word.empty() || word == "-1") return otherwise;
  if (const auto value = parse_size(word, round_up)) return *value;
  fail(field, "a size in MB, or with the suffix K, M, G or T");
  return otherwise;
}

Time TraceFields::time(std::size_t field) {
  constexpr std::int64_t kLatest = std::int64_t{1} << 40;
  return Time(integer(field, 0, -1, kLatest, "a time in seconds since the epoch"));
}

std::vector<std::string_view> TraceFields::bracketed(std::size_t field, std::string_view expected) {
  const auto word = text(field);
  if (word.empty()) return {};
  if (auto items = parse_bracketed(word)) return *std::move(items);
  fail(field, expected);
  return {};
}

std::optional<std::vector<std::string_view>> parse_bracketed(std::string_view text) {
  std::vector<std::string_view> items;
  while (!text.empty()) {
    const auto close = text.find(']');
    if (text.front() != '[' || close == std::string_view::npos) return std::nullopt;
    const auto item = text.substr(1, close - 1);
    if (item.find('[') != std::string_view::npos) return std::nullopt;
    if (!item.empty()) items.push_back(item);
    text.remove_prefix(close + 1);
  }
  return items;
}

std::optional<std::pair<std::string, int>> parse_counted(std::string_view item) {
  const auto colon = item.rfind(':');
  if (colon == std::string_view::npos) return std::pair{std::string(item), 1};
  const auto count = parse_integer<int>(item.substr(colon + 1));
  if (!count || *count < 1 || colon == 0) return std::nullopt;
  return std::pair{std::string(item.substr(0, colon)), *count};
}

Status for_each_record(const std::string& path, TraceProblems& problems,
                       const std::function<std::optional<std::string>(std::string_view)>& take) {
  auto reader = LineReader::open(path);
  if (!reader) return reader.error();
  for (std::string_view line; reader->next(line);) {
    const auto content = trimmed(line);
    if (content.empty() || content.front() == '#') continue;
    const bool version = content.substr(0, content.find_first_of(" \t")) == "VERSION";
    if (const auto wrong = version ? version_problem(content) : take(line))
      problems.bad_line(*reader, *wrong);
  }
  if (!reader->damage().empty()) problems.damage(reader->line() + 1, reader->damage());
  return Done{};
}

}  // namespace maui
