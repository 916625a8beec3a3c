// Small text functions that many parsers use.
#pragma once
#include <charconv>
#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace maui {

std::string_view trimmed(std::string_view text);
/// Returns the parts between `separator`s; empty parts are kept, so "a::b" has three.
std::vector<std::string_view> split(std::string_view text, char separator);
/// Returns the words between runs of blanks and tabs.  `about`: how many are expected.
std::vector<std::string_view> words(std::string_view text, std::size_t about = 0);
std::string upper(std::string_view text);
std::string lower(std::string_view text);
/// True if the words are equal when case is ignored.
bool same_word(std::string_view a, std::string_view b);
/// True for "ALL" and "[ALL]", which name all partitions or all credentials of a kind.
bool names_all(std::string_view word);
/// Also true for "all", which a credential may be called, but no partition, and hardly a host.
bool names_all_in_any_case(std::string_view word);
std::string join(std::span<const std::string> parts, std::string_view separator);
/// Returns the lines of `text`, each after `prefix` and with an end of line.
std::string prefixed_lines(std::string_view prefix, std::string_view text);
/// Returns the lines of `text` as one, for a log: "a is held; b is held".
std::string on_one_line(std::string_view text);
/// Returns "showq" for "/usr/bin/showq".
std::string_view program_name(std::string_view path);
/// Returns `one` if the count is 1, otherwise `more`: for "is" and "are" of counted things.
template <std::integral T>
constexpr std::string_view by_number(T count, std::string_view one, std::string_view more) {
  return count == 1 ? one : more;
}
/// Returns "1 job", "2 jobs".
template <std::integral T>
std::string counted(T count, std::string_view what) {
  return std::to_string(count).append(" ").append(what).append(by_number(count, "", "s"));
}

/// Parses all of `text` as a number; nullopt if it contains anything else or is out of range.
template <std::integral T>
std::optional<T> parse_integer(std::string_view text, int base = 10) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}
/// True if the text consists of decimal digits, at least one.
bool is_digits(std::string_view text);
/// True if the text is a whole number, however large: a sign or none, and digits.
bool is_whole_number(std::string_view text);
/// Accepts finite numbers only.
std::optional<double> parse_number(std::string_view text);

/// Returns the word in `known` of which `word` is probably a misspelling; empty if none is close.
std::string nearest(std::string_view word, std::span<const std::string_view> known);

}  // namespace maui
