#include "sim/log_times.h"

#include <chrono>

#include "base/text.h"

namespace maui {
namespace {

constexpr std::int64_t kLatestTime = std::int64_t{1} << 40;

std::optional<int> digits(std::string_view text, std::size_t at, std::size_t count) {
  if (at + count > text.size()) return std::nullopt;
  int value = 0;
  for (const char c : text.substr(at, count)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + (c - '0');
  }
  return value;
}

/// Parses "+02:00", "-0330" or "Z" as the time ahead of UTC.
std::optional<Seconds> parse_offset(std::string_view text) {
  if (text == "Z" || text == "z") return Seconds(0);
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const bool colon = text.size() == 6 && text[3] == ':';
  const auto hours = digits(text, 1, 2), minutes = digits(text, colon ? 4 : 3, 2);
  if (!hours || !minutes || text.size() != (colon ? 6U : 5U) || *hours > 14 || *minutes > 59)
    return std::nullopt;
  const Seconds ahead(*hours * 3600 + *minutes * 60);
  return text[0] == '-' ? ahead * -1 : ahead;
}

}  // namespace

std::optional<Time> parse_log_time(std::string_view text, const TimeZone& zone) {
  if (const auto epoch = parse_integer<std::int64_t>(text)) {
    if (*epoch < 0 || *epoch > kLatestTime) return std::nullopt;
    return Time(*epoch);
  }
  if (text.size() < 19 || text[4] != '-' || text[7] != '-' ||
      (text[10] != 'T' && text[10] != ' ') || text[13] != ':' || text[16] != ':')
    return std::nullopt;
  const auto year = digits(text, 0, 4), month = digits(text, 5, 2), day = digits(text, 8, 2),
             hour = digits(text, 11, 2), minute = digits(text, 14, 2), second = digits(text, 17, 2);
  if (!year || !month || !day || !hour || !minute || !second || *hour > 23 || *minute > 59 ||
      *second > 60)
    return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  const Seconds clock(*hour * 3600 + *minute * 60 + *second);
  const auto rest = text.substr(19);
  if (rest.empty()) return zone.first(days, clock);
  const auto ahead = parse_offset(rest);
  if (!ahead) return std::nullopt;
  return Time(days * kDaySeconds) + clock - *ahead;
}

std::optional<Seconds> parse_slurm_limit(std::string_view text) {
  if (same_word(text, "UNLIMITED")) return kUnlimited;
  const auto dash = text.find('-');
  std::int64_t total = 0;
  const bool has_days = dash != text.npos;
  if (has_days) {
    const auto days = parse_integer<std::int64_t>(text.substr(0, dash));
    if (!days || *days < 0 || *days > 100'000) return std::nullopt;
    total = *days * kDaySeconds;
    text.remove_prefix(dash + 1);
  }
  const auto parts = split(text, ':');
  if (parts.size() > 3) return std::nullopt;
  // The first part is hours if there are days or three parts, else minutes.
  std::int64_t unit = has_days || parts.size() == 3 ? kHourSeconds : 60;
  for (const auto part : parts) {
    const auto value = parse_integer<std::int64_t>(part);
    if (!value || *value < 0 || *value > kLatestTime) return std::nullopt;
    total += *value * unit;
    unit = unit == kHourSeconds ? 60 : 1;
  }
  return Seconds(total);
}

}  // namespace maui
