#include "config/value_type.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/duration.h"
#include "base/text.h"

namespace maui::config {
namespace {

using Check = std::function<Result<std::string>(std::string_view)>;

// Longer durations must be written as INFINITY; with this bound, the canonical form can be parsed
// again.
constexpr std::int64_t kLongest = std::int64_t{1} << 40;

ValueType single(std::string expected, Check check) {
  return {std::move(expected), [check = std::move(check)](const Words& words) -> Result<Words> {
            if (words.empty()) return Error{"no value"};
            if (words.size() > 1) return Error{fmt::format("more than one value ('{}')", words[1])};
            auto canonical = check(words.front());
            if (!canonical) return canonical.error();
            return Words{std::move(canonical).value()};
          }};
}

Result<std::string> boolean_word(std::string_view word) {
  for (const auto yes : {"TRUE", "ON", "YES", "1"})
    if (same_word(word, yes)) return std::string("TRUE");
  for (const auto no : {"FALSE", "OFF", "NO", "0"})
    if (same_word(word, no)) return std::string("FALSE");
  return Error{fmt::format("invalid boolean '{}'", word)};
}

/// Returns an error with the range, for values whose `expected` does not name all of it.
Error out_of_range(std::string_view word, std::string_view range) {
  return Error{fmt::format("{} is out of range ({})", word, range)};
}

Result<std::string> integer_word(std::string_view word, std::int64_t low, std::int64_t high,
                                 bool range_is_named = false) {
  const auto value = parse_integer<std::int64_t>(word);
  if (!value && !is_whole_number(word))
    return Error{fmt::format("invalid whole number '{}'", word)};
  if (value && *value >= low && *value <= high) return fmt::format("{}", *value);
  if (range_is_named) return Error{fmt::format("{} is out of range", word)};
  return out_of_range(word, fmt::format("{} to {}", low, high));
}

Result<std::string> number_word(std::string_view word, double low, double high) {
  const auto value = parse_number(word);
  if (!value) return Error{fmt::format("invalid number '{}'", word)};
  if (*value < low || *value > high) {
    if (high == kMost) return out_of_range(word, fmt::format("{} to {:.0f}", low, high));
    return Error{fmt::format("{} is out of range", word)};
  }
  return fmt::format("{}", *value == 0 ? 0.0 : *value);
}

Result<std::string> duration_word(std::string_view word, bool none_allowed) {
  const auto value = parse_duration(word);
  if (!value && !is_duration(word)) return Error{fmt::format("invalid duration '{}'", word)};
  if (none_allowed && value && value->raw() == -1) return std::string("-1");
  if (value ? value->raw() < 0 : word.starts_with('-'))
    return Error{fmt::format("{} is negative", word)};
  if (!value || (*value != kUnlimited && value->raw() > kLongest))
    return out_of_range(word, fmt::format("0 to {} seconds", kLongest));
  return format_duration(*value);
}

Result<std::string> size_word(std::string_view word) {
  constexpr std::string_view kUnits = "KMGT";
  const auto whole = word;
  const auto wrong = Error{fmt::format("invalid size '{}'", word)};
  if (word.empty()) return wrong;
  int shift = 0;
  const auto unit = kUnits.find(upper(word.substr(word.size() - 1))[0]);
  if (unit != std::string_view::npos) {
    shift = 10 * (static_cast<int>(unit) + 1);
    word.remove_suffix(1);
  }
  const auto value = parse_integer<std::int64_t>(word);
  if (!value && !is_whole_number(word)) return wrong;
  if (!value || *value < 0 || *value > (std::int64_t{1} << 60 >> shift))
    return out_of_range(whole, "0 to 1048576T");
  return fmt::format("{}", *value << shift);
}

// Parses [SOFT,]HARD, with `check` for each of the limits.
Result<std::string> limit_word(std::string_view word, const Check& check) {
  const auto parts = split(word, ',');
  if (parts.size() > 2)
    return Error{fmt::format("'{}' has more than a soft and a hard limit", word)};
  std::string out;
  for (const auto part : parts) {
    auto canonical = check(part);
    if (!canonical) return canonical;
    out += (out.empty() ? "" : ",") + canonical.value();
  }
  return out;
}

struct Choice {
  std::string name;
  std::vector<std::string> spellings;
};

std::vector<Choice> choices_in(std::string_view table) {
  std::vector<Choice> out;
  for (const auto word : words(table)) {
    Choice choice;
    for (const auto spelling : split(word, '|')) choice.spellings.emplace_back(spelling);
    choice.name = choice.spellings.front();
    out.push_back(std::move(choice));
  }
  return out;
}

std::string listed(const std::vector<Choice>& choices) {
  std::string out;
  for (std::size_t i = 0; i < choices.size(); ++i)
    out += (i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ") + choices[i].name;
  return out;
}

/// Adds its other spellings to the name of each choice: "DEDICATED (also SINGLEJOB)".
std::vector<Choice> with_spellings(std::vector<Choice> choices) {
  for (Choice& choice : choices) {
    const Words others(choice.spellings.begin() + 1, choice.spellings.end());
    if (!others.empty()) choice.name += fmt::format(" (also {})", join(others, ", "));
  }
  return choices;
}

Result<std::string> chosen(const std::vector<Choice>& choices, std::string_view word) {
  std::vector<std::string_view> known;
  for (const auto& choice : choices) {
    for (const auto& spelling : choice.spellings)
      if (same_word(spelling, word)) return choice.name;
    known.insert(known.end(), choice.spellings.begin(), choice.spellings.end());
  }
  const auto near = nearest(word, known);
  return Error{near.empty() ? fmt::format("unknown value '{}'", word)
                            : fmt::format("unknown value '{}' (did you mean '{}'?)", word, near)};
}

Words split_at(const Words& value, std::string_view separators) {
  Words out;
  for (const auto& word : value) {
    std::string_view rest = word;
    while (!rest.empty()) {
      const auto at = rest.find_first_of(separators);
      if (at != 0) out.emplace_back(rest.substr(0, at));
      rest.remove_prefix(at == std::string_view::npos ? rest.size() : at + 1);
    }
  }
  return out;
}

}  // namespace

bool is_none(std::string_view word) { return same_word(word, "[NONE]"); }

ValueType boolean() { return single("TRUE or FALSE (also ON, OFF, YES, NO, 1, 0)", boolean_word); }

ValueType integer(std::int64_t low, std::int64_t high) {
  std::string expected = "a whole number";
  if (high != kBillion)
    expected += fmt::format(" from {} to {}", low, high);
  else if (low != -kBillion)
    expected += fmt::format(" from {} up", low);
  return single(expected, [=](std::string_view word) {
    return integer_word(word, low, high, high != kBillion);
  });
}

ValueType number(double low, double high) {
  const auto range =
      high == kMost ? fmt::format("from {} up", low) : fmt::format("from {} to {}", low, high);
  return single("a number " + range,
                [=](std::string_view word) { return number_word(word, low, high); });
}

ValueType duration(bool none_allowed) {
  return single(none_allowed ? "[[[DD:]HH:]MM:]SS, INFINITY, or -1 for no limit"
                             : "[[[DD:]HH:]MM:]SS or INFINITY",
                [=](std::string_view word) { return duration_word(word, none_allowed); });
}

ValueType size() { return single("a number of bytes, or a number with K, M, G or T", size_word); }

ValueType text(std::string expected) {
  return {std::move(expected), [](const Words& value) -> Result<Words> {
            const auto all = join(value, " ");
            return all.empty() || is_none(all) ? Words{} : Words{all};
          }};
}

ValueType list(std::string expected, std::string_view separators) {
  return {std::move(expected), [at = std::string(separators)](const Words& value) -> Result<Words> {
            auto all = split_at(value, at);
            return all.size() == 1 && is_none(all.front()) ? Words{} : all;
          }};
}

ValueType limits() {
  return single("[SOFT,]HARD, whole numbers from 0 up", [](std::string_view word) {
    return limit_word(
        word, [](std::string_view part) { return integer_word(part, 0, std::int64_t{1} << 53); });
  });
}

ValueType time_limits() {
  return single("[SOFT,]HARD, each [[[DD:]HH:]MM:]SS", [](std::string_view word) {
    return limit_word(word, [](std::string_view part) { return duration_word(part, false); });
  });
}

ValueType epoch() {
  return or_none(single("a time in seconds since the epoch", [](std::string_view word) {
    return integer_word(word, 0, std::int64_t{1} << 53);
  }));
}

ValueType choice(std::string_view table) {
  auto choices = choices_in(table);
  auto type = single("", [=](std::string_view word) { return chosen(choices, word); });
  type.expected = listed(with_spellings(std::move(choices)));
  return type;
}

ValueType choices(std::string_view table, char separator) {
  const auto known = choices_in(table);
  const auto separators = std::string(" :,|");
  auto canonical = [=](const Words& value) -> Result<Words> {
    Words found;
    for (const auto& word : split_at(value, separators)) {
      if (is_none(word) || same_word(word, "NONE")) continue;
      auto name = chosen(known, word);
      if (!name) return name.error();
      if (std::find(found.begin(), found.end(), *name) == found.end()) found.push_back(*name);
    }
    if (separator == ' ' || found.empty()) return found;
    return Words{join(found, std::string(1, separator))};
  };
  return {"any of " + listed(known), canonical};
}

ValueType or_none(ValueType type) {
  type.expected += ", or [NONE]";
  type.canonical = [inner = std::move(type.canonical)](const Words& value) -> Result<Words> {
    const bool none = value.size() == 1 && (is_none(value.front()) || same_word(value[0], "NONE"));
    if (value.empty() || none) return Words{};
    return inner(value);
  };
  return type;
}

ValueType some(ValueType type) {
  type.canonical = [inner = std::move(type.canonical)](const Words& value) -> Result<Words> {
    auto found = inner(value);
    if (found && found->empty()) return Error{"no value"};
    return found;
  };
  return type;
}

ValueType custom(std::string expected, Check check) {
  return single(std::move(expected), std::move(check));
}

std::string config_word(std::string_view word) {
  const bool plain = !word.empty() &&
                     word.find_first_of(" \t\v\f\r'\"") == std::string_view::npos &&
                     word.front() != '#';
  if (plain) return std::string(word);
  if (word.find('\'') == std::string_view::npos) return fmt::format("'{}'", word);
  if (word.find('"') == std::string_view::npos) return fmt::format("\"{}\"", word);
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\"'\"'") : std::string(1, c);
  return out + "'";
}

std::string shown(const Words& value) {
  if (value.empty()) return "[NONE]";
  std::string out;
  for (const auto& word : value) out += (out.empty() ? "" : " ") + config_word(word);
  return out;
}

}  // namespace maui::config
