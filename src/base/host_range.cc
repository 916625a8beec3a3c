#include "base/host_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "base/text.h"

namespace maui {
namespace {

constexpr std::size_t kMostNames = 1000000;
// The longest name with a range: a million names then take less than a gigabyte.
constexpr std::size_t kLongestName = 255;

struct Numbered {  // a name that ends in digits, split
  std::string_view head, digits;
};

Numbered numbered(std::string_view name) {
  std::size_t at = name.size();
  while (at > 0 && std::isdigit(static_cast<unsigned char>(name[at - 1])) && name.size() - at < 9)
    --at;
  return {name.substr(0, at), name.substr(at)};
}

// Expands "001-128,130" into its numbers, as text of the same width.
bool expand_range(std::string_view text, std::vector<std::string>& out) {
  for (const auto part : split(text, ',')) {
    const auto dash = part.find('-');
    if (part.size() > 40 || part.find('+') != std::string_view::npos) return false;
    const auto low = parse_integer<std::uint32_t>(part.substr(0, dash));
    const auto high =
        dash == std::string_view::npos ? low : parse_integer<std::uint32_t>(part.substr(dash + 1));
    if (!low || !high || *high < *low || *high - *low >= kMostNames - out.size()) return false;
    const auto width = dash == std::string_view::npos ? part.size() : dash;
    out.reserve(out.size() + *high - *low + 1);
    for (std::uint64_t n = *low; n <= *high; ++n) {
      const fmt::format_int digits(n);
      auto& number = out.emplace_back(width - std::min(width, digits.size()), '0');
      number.append(digits.data(), digits.size());
    }
  }
  return true;
}

/// Returns how many numbers expand_range() would return.
std::uint64_t count_range(std::string_view text) {
  std::uint64_t count = 0;
  for (const auto part : split(text, ',')) {
    const auto dash = part.find('-');
    const auto low = parse_integer<std::uint32_t>(part.substr(0, dash));
    const auto high =
        dash == std::string_view::npos ? low : parse_integer<std::uint32_t>(part.substr(dash + 1));
    count += low && high && *low <= *high ? std::uint64_t{*high} - *low + 1 : 1;
  }
  return count;
}

}  // namespace

std::uint64_t count_hosts(std::string_view item) {
  constexpr std::uint64_t kMany = 1000000000;
  std::uint64_t count = 1;
  for (auto open = item.find('['); open != item.npos; open = item.find('[', open + 1)) {
    const auto close = item.find(']', open);
    if (close == item.npos) break;
    count = std::min(kMany,
                     count * std::min(kMany, count_range(item.substr(open + 1, close - open - 1))));
  }
  return count;
}

std::string_view take_item(std::string_view& list, char separator) {
  std::size_t end = 0;
  for (int depth = 0; end < list.size() && (depth > 0 || list[end] != separator); ++end)
    depth += list[end] == '[' ? 1 : list[end] == ']' ? -1 : 0;
  const auto item = list.substr(0, end);
  list.remove_prefix(std::min(end + 1, list.size()));
  return item;
}

Result<std::vector<std::string>> expand_hosts(std::string_view item) {
  const Error wrong{
      fmt::format("invalid host list '{}': expected a name or NAME[LOW-HIGH,...]", item)};
  if (count_hosts(item) > kMostNames) return wrong;
  std::vector<std::string> names{""};
  while (!item.empty()) {
    const auto open = item.find('[');
    const auto literal = item.substr(0, open);
    if (literal.find(']') != std::string_view::npos) return wrong;
    const bool is_range = names.size() > 1 || open != std::string_view::npos;
    if (is_range && names.front().size() + literal.size() > kLongestName) return wrong;
    for (auto& name : names) name += literal;
    if (open == std::string_view::npos) return names;
    const auto close = item.find(']', open);
    std::vector<std::string> numbers;
    if (close == std::string_view::npos ||
        !expand_range(item.substr(open + 1, close - open - 1), numbers))
      return wrong;
    if (names.size() * numbers.size() > kMostNames) return wrong;
    std::vector<std::string> longer;
    longer.reserve(names.size() * numbers.size());
    for (const auto& name : names)
      for (const auto& number : numbers) longer.push_back(name + number);
    names = std::move(longer);
    item.remove_prefix(close + 1);
  }
  return names;
}

Result<std::vector<std::string>> expand_host_list(std::string_view list, std::uint64_t most) {
  const auto items = split_hosts(list);
  std::uint64_t count = 0;
  for (const auto& item : items) count += count_hosts(item);
  if (count > most)
    return Error{fmt::format("it names {} hosts: expected at most {}", count, most)};
  std::vector<std::string> names;
  for (const auto& item : items) {
    auto some = expand_hosts(item);
    if (!some) return some.error();
    names.insert(names.end(), std::make_move_iterator(some->begin()),
                 std::make_move_iterator(some->end()));
  }
  return names;
}

Result<std::string> first_host(std::string_view item) {
  std::string first;
  bool inside = false, past = false;  // within brackets; past their first number
  for (const char c : item) {
    if (c == '[' || c == ']') {
      inside = c == '[';
      past = false;
    }
    past = past || (inside && (c == '-' || c == ','));
    if (!past) first += c;
  }
  auto names = expand_hosts(first);
  if (!names) return names.error();
  return std::move(names->front());
}

std::vector<std::string> split_hosts(std::string_view list) {
  std::vector<std::string> items(1);
  int depth = 0;
  for (const char c : list) {
    if (c == '[' || c == '(') ++depth;
    if (c == ']' || c == ')') --depth;
    if (depth <= 0 && std::string_view(",: \t").find(c) != std::string_view::npos)
      items.emplace_back();
    else
      items.back() += c;
  }
  std::erase(items, std::string());
  return items;
}

bool counts_up(std::string_view first, std::string_view second) {
  const auto before = numbered(first), after = numbered(second);
  return !before.digits.empty() && before.head == after.head &&
         before.digits.size() == after.digits.size() &&
         *parse_integer<std::uint32_t>(before.digits) + 1 ==
             *parse_integer<std::uint32_t>(after.digits);
}

std::string host_series(std::string_view first, std::string_view last) {
  if (first == last) return std::string(first);
  const auto from = numbered(first);
  return fmt::format("{}[{}-{}]", from.head, from.digits, numbered(last).digits);
}

std::vector<std::string> compress_hosts(std::span<const std::string> names) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < names.size();) {
    std::size_t run = i + 1;
    while (run < names.size() && counts_up(names[run - 1], names[run])) ++run;
    out.push_back(host_series(names[i], names[run - 1]));
    i = run;
  }
  return out;
}

}  // namespace maui
