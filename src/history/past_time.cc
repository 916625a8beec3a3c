#include "history/past_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/date.h"
#include "base/duration.h"
#include "sim/log_times.h"

namespace maui {
namespace {

bool is_date(std::string_view text) {
  return text.size() == 10 && text[4] == '-' && text[7] == '-' &&
         text.find_first_not_of("0123456789-") == std::string_view::npos;
}

}  // namespace

Result<Time> parse_past_time(std::string_view text, Time now, const TimeZone& zone) {
  if (text.size() > 1 && text.front() == '-') {
    const auto before = parse_duration(text.substr(1));
    if (before && *before >= Seconds(0)) return std::max(now - *before, Time(0));
  }
  const auto whole = is_date(text) ? fmt::format("{}T00:00:00", text) : std::string(text);
  if (const auto time = parse_log_time(whole, zone)) return *time;
  if (const auto time = parse_time(text, now, zone)) return *time;
  return Error{
      fmt::format("invalid time '{}': expected 2024-05-01, 2024-05-01T12:00:00, HH:MM:SS_MO/DD/YY, "
                  "-DD:HH:MM:SS before now, or NOW",
                  text)};
}

Result<Period> parse_period(std::string_view text, Time now, const TimeZone& zone) {
  const auto comma = text.find(',');
  const auto start = parse_past_time(text.substr(0, comma), now, zone);
  if (!start) return start.error();
  Period period{*start, now};
  if (comma == text.npos) return period;
  const auto end = parse_past_time(text.substr(comma + 1), now, zone);
  if (!end) return end.error();
  if (*end < *start)
    return Error{fmt::format("invalid period '{}': expected an end not before its start", text)};
  period.end = *end;
  return period;
}

}  // namespace maui
