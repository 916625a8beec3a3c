#include "base/text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <numeric>

namespace maui {
namespace {

// An object, so that algorithms inline it.
constexpr auto is_blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };

// Returns the value of a whole number of a few digits, as most are; nullopt for others.
std::optional<double> short_whole(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty() || text.size() > std::numeric_limits<int>::digits10) return std::nullopt;
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + (c - '0');
  }
  return negative ? -static_cast<double>(value) : value;
}

char lower_char(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }
char upper_char(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }

// The Levenshtein distance, ignoring case.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = diagonal + (lower_char(a[i]) == lower_char(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::vector<std::string_view> words(std::string_view text, std::size_t about) {
  std::vector<std::string_view> found;
  found.reserve(about);
  for (auto at = text.begin(); at != text.end();) {
    at = std::find_if_not(at, text.end(), is_blank);
    const auto begin = at;
    at = std::find_if(at, text.end(), is_blank);
    if (begin != at) found.emplace_back(begin, at);
  }
  return found;
}

std::string upper(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), upper_char);
  return out;
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower_char);
  return out;
}

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower_char(x) == lower_char(y); });
}

bool names_all(std::string_view word) { return word == "ALL" || same_word(word, "[ALL]"); }

bool names_all_in_any_case(std::string_view word) {
  return names_all(word) || same_word(word, "ALL");
}

std::string prefixed_lines(std::string_view prefix, std::string_view text) {
  std::string all;
  for (const auto line : split(text, '\n')) (all.append(prefix) += line) += '\n';
  return all;
}

std::string on_one_line(std::string_view text) {
  std::string all;
  for (const auto line : split(text, '\n'))
    if (!line.empty()) (all += all.empty() ? "" : "; ") += line;
  return all;
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string out;
  for (const auto& part : parts) {
    if (!out.empty()) out += separator;
    out += part;
  }
  return out;
}

std::string_view program_name(std::string_view path) {
  return path.substr(path.rfind('/') == path.npos ? 0 : path.rfind('/') + 1);
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

bool is_whole_number(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return is_digits(text);
}

std::optional<double> parse_number(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  if (const auto whole = short_whole(text)) return whole;
  double value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::string nearest(std::string_view word, std::span<const std::string_view> known) {
  std::size_t best = std::max<std::size_t>(2, word.size() / 3) + 1;
  std::string_view found;
  const auto take = [&](std::string_view candidate, std::size_t at) {
    if (at >= best) return;
    best = at;
    found = candidate;
  };
  for (const auto candidate : known) {
    // A name that `word` merely extends counts like two slips.
    if (3 * candidate.size() >= 2 * word.size() && word.size() > candidate.size() &&
        same_word(word.substr(0, candidate.size()), candidate))
      take(candidate, 2);
    // The distance is at least the difference in length, which costs nothing to compute.
    if (std::max(word.size(), candidate.size()) - std::min(word.size(), candidate.size()) >= best)
      continue;
    take(candidate, distance(word, candidate));
  }
  return std::string(found);
}

}  // namespace maui
