#include "base/date.h"

#include <fmt/format.h>

#include <array>
#include <ctime>

#include "base/duration.h"
#include "base/text.h"

namespace maui {
namespace {

std::tm local(Time when) {
  const auto t = static_cast<std::time_t>(when.raw());
  std::tm fields{};
  localtime_r(&t, &fields);
  return fields;
}

// One or two digits within a range.
std::optional<int> field(std::string_view text, int low, int high) {
  const auto value = parse_integer<int>(text);
  if (!value || *value < low || *value > high) return std::nullopt;
  return value;
}

bool set_clock(std::string_view text, std::tm& fields) {
  const auto parts = split(text, ':');
  if (parts.empty() || parts.size() > 3) return false;
  const std::array<int*, 3> targets{&fields.tm_hour, &fields.tm_min, &fields.tm_sec};
  const std::array<int, 3> highest{24, 59, 59};
  fields.tm_min = fields.tm_sec = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto value = field(parts[i], 0, highest[i]);
    if (!value) return false;
    *targets[i] = *value;
  }
  return true;
}

bool set_day(std::string_view text, std::tm& fields) {
  const auto parts = split(text, '/');
  if (parts.empty() || parts.size() > 3) return false;
  const auto month = field(parts[0], 1, 12);
  if (!month) return false;
  fields.tm_mon = *month - 1;
  fields.tm_mday = 1;
  if (parts.size() > 1) {
    const auto day = field(parts[1], 1, 31);
    if (!day) return false;
    fields.tm_mday = *day;
  }
  if (parts.size() > 2) {
    const auto year = field(parts[2], 0, 9999);
    if (!year || (*year >= 100 && *year < 1970)) return false;
    // Two digits are those of POSIX: 69 and above belong to the last century.
    fields.tm_year = *year >= 1970 ? *year - 1900 : *year + (*year >= 69 ? 0 : 100);
  }
  return true;
}

}  // namespace

std::string format_date(Time when, bool year) {
  const std::tm fields = local(when);
  std::array<char, 40> text{};
  const auto length = std::strftime(text.data(), text.size(),
                                    year ? "%a %b %e %H:%M:%S %Y" : "%a %b %e %H:%M:%S", &fields);
  return std::string(text.data(), length);
}

Result<Time> parse_time(std::string_view text, Time now) {
  const Error wrong{
      fmt::format("'{}' is no time: expected [HH[:MM[:SS]]][_MO[/DD[/YY]]], +[[[DD:]HH:]MM:]SS, "
                  "NOW or INFINITY",
                  text)};
  if (same_word(text, "NOW")) return now;
  if (same_word(text, "INFINITY")) return kForever;
  if (text.starts_with('+')) {
    const auto ahead = parse_duration(text.substr(1));
    if (!ahead || ahead->raw() < 0) return wrong;
    return *ahead >= kUnlimited ? kForever : now + *ahead;
  }
  if (text.size() >= 10 && text.find_first_not_of("0123456789") == std::string_view::npos) {
    const auto epoch = parse_integer<std::int64_t>(text);
    if (!epoch || *epoch >= kForever.raw()) return wrong;
    return Time(*epoch);
  }
  std::tm fields = local(now);
  fields.tm_isdst = -1;
  const auto at = text.find('_');
  const auto clock = text.substr(0, at);
  if (text.empty() || (clock.empty() && at == std::string_view::npos)) return wrong;
  fields.tm_hour = fields.tm_min = fields.tm_sec = 0;
  if (!clock.empty() && !set_clock(clock, fields)) return wrong;
  if (at != std::string_view::npos && !set_day(text.substr(at + 1), fields)) return wrong;
  std::tm noon = fields;
  noon.tm_hour = 12;
  if (std::mktime(&noon) == -1 || noon.tm_mon != fields.tm_mon) return wrong;  // 30 February
  const std::time_t when = std::mktime(&fields);
  if (when == -1) return wrong;
  return Time(when);
}

}  // namespace maui
