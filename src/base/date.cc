#include "base/date.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <ctime>
#include <optional>

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

// Parses one or two digits within a range.
std::optional<int> field(std::string_view text, int low, int high) {
  const auto value = parse_integer<int>(text);
  if (!value || *value < low || *value > high) return std::nullopt;
  return value;
}

/// Parses HH[:MM[:SS]] since midnight.
std::optional<Seconds> clock_of(std::string_view text) {
  const auto parts = split(text, ':');
  if (parts.empty() || parts.size() > 3) return std::nullopt;
  const std::array<int, 3> highest{24, 59, 59};
  std::array<int, 3> clock{};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto value = field(parts[i], 0, highest[i]);
    if (!value) return std::nullopt;
    clock[i] = *value;
  }
  return Seconds(3600 * clock[0] + 60 * clock[1] + clock[2]);
}

std::chrono::year year_of(std::int64_t day) {
  return std::chrono::year_month_day(std::chrono::sys_days(std::chrono::days(day))).year();
}

/// Parses MO[/DD[/YY]], as days since the epoch.
std::optional<std::int64_t> day_of(std::string_view text, std::chrono::year year) {
  const auto parts = split(text, '/');
  if (parts.empty() || parts.size() > 3) return std::nullopt;
  const auto month = field(parts[0], 1, 12);
  const auto day = parts.size() > 1 ? field(parts[1], 1, 31) : 1;
  if (!month || !day) return std::nullopt;
  if (parts.size() > 2) {
    const auto given = field(parts[2], 0, 9999);
    if (!given || (*given >= 100 && *given < 1970)) return std::nullopt;
    // Two-digit years as in POSIX: 69 and above belong to the last century.
    year = std::chrono::year(*given >= 100 ? *given : *given + (*given >= 69 ? 1900 : 2000));
  }
  const std::chrono::year_month_day date(year, std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) return std::nullopt;  // for example, 30 February
  return std::chrono::sys_days(date).time_since_epoch().count();
}

constexpr Seconds kTooLong = kUnlimited - Seconds(1);  // for any time to be kept

}  // namespace

std::string format_date(Time when, bool year) {
  const std::tm fields = local(when);
  std::array<char, 40> text{};
  const auto length = std::strftime(text.data(), text.size(),
                                    year ? "%a %b %e %H:%M:%S %Y" : "%a %b %e %H:%M:%S", &fields);
  return std::string(text.data(), length);
}

Result<Time> time_ahead(std::string_view text, Time from, Seconds ahead) {
  if (ahead >= kUnlimited) return kForever;
  if (const Time then = from + ahead; then <= kLatestTime) return then;
  return Error{
      fmt::format("'{}' is out of range: expected 0 to {} seconds, which end with the year 9999",
                  text, (kLatestTime - from).raw())};
}

Result<Seconds> parse_duration_ahead(std::string_view text, Time from) {
  auto parsed = parse_duration(text);
  if (!parsed && !is_duration(text)) return parsed.error();
  if (const auto end = time_ahead(text, from, parsed ? *parsed : kTooLong); !end)
    return end.error();
  return *parsed;
}

Result<Time> parse_time(std::string_view text, Time now, const TimeZone& zone, Moment which) {
  const Error wrong{
      fmt::format("invalid time '{}': expected [HH[:MM[:SS]]][_MO[/DD[/YY]]], +[[[DD:]HH:]MM:]SS, "
                  "NOW or INFINITY",
                  text)};
  if (same_word(text, "NOW")) return now;
  if (same_word(text, "INFINITY")) return kForever;
  if (text.starts_with('+')) {
    const auto ahead = parse_duration(text.substr(1));
    if (!ahead && is_duration(text.substr(1))) return time_ahead(text, now, kTooLong);
    if (!ahead || ahead->raw() < 0) return wrong;
    return time_ahead(text, now, *ahead);
  }
  if (text.size() >= 10 && is_digits(text)) {
    const auto epoch = parse_integer<std::int64_t>(text);
    if (!epoch || *epoch > kLatestTime.raw())
      return Error{
          fmt::format("time '{}' is out of range: expected 0 to {} seconds since the epoch", text,
                      kLatestTime.raw())};
    return Time(*epoch);
  }
  const auto at = text.find('_');
  const auto clock_text = text.substr(0, at);
  const auto today = zone.day_of(now);
  const auto clock = clock_text.empty() && at != text.npos ? Seconds(0) : clock_of(clock_text);
  const auto day =
      at == text.npos ? std::optional(today) : day_of(text.substr(at + 1), year_of(today));
  if (!clock || !day) return wrong;
  return which == Moment::start ? zone.first(*day, *clock) : zone.last(*day, *clock);
}

}  // namespace maui
