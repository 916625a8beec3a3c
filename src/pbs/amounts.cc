#include "pbs/amounts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/duration.h"
#include "base/text.h"

namespace maui::pbs {

std::optional<std::int32_t> megabytes(std::string_view text) {
  const auto end = std::min(text.find_first_not_of("0123456789."), text.size());
  const auto number = parse_number(text.substr(0, end));
  if (!number || *number < 0) return std::nullopt;
  std::string unit = lower(text.substr(end));
  double bytes = *number;
  if (unit.ends_with('w')) bytes *= 8;
  if (unit.ends_with('b') || unit.ends_with('w')) unit.pop_back();
  constexpr std::string_view kPrefixes = "kmgtp";
  if (unit.size() == 1 && kPrefixes.find(unit.front()) != std::string_view::npos)
    bytes *= std::pow(1024.0, static_cast<double>(kPrefixes.find(unit.front()) + 1));
  else if (!unit.empty())
    return std::nullopt;
  constexpr double kMost = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(std::min(kMost, std::ceil(bytes / (1024.0 * 1024.0))));
}

std::optional<Seconds> duration(std::string_view text) {
  const auto known = parse_duration(text.substr(0, text.find('.')));
  if (!known || *known < Seconds(0)) return std::nullopt;
  return *known;
}

bool is_true(std::string_view text) {
  return same_word(text, "true") || same_word(text, "t") || same_word(text, "yes") ||
         same_word(text, "y") || text == "1";
}

}  // namespace maui::pbs
