#include "cmd/facts/time_frame.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/date.h"
#include "base/duration.h"
#include "base/text.h"

namespace maui {
namespace {

/// True for HH:MM:SS_MO/DD and shorter forms: times that recur.
bool recurs(std::string_view text) {
  const bool written = !text.empty() && (text[0] == '_' || (text[0] >= '0' && text[0] <= '9'));
  const bool epoch = text.size() >= 10 && text.find_first_of(":_/") == std::string_view::npos;
  return written && !epoch && std::count(text.begin(), text.end(), '/') < 2;
}

/// Returns the next time after now with the same text: a day later, or with a date, a year later.
Result<Time> next_time(const std::string& text, Time now, const TimeZone& zone, Moment which) {
  constexpr Seconds kNoon{12 * 3600}, kYear{365 * 86400};
  if (text.find('_') == text.npos)
    return parse_time(text, zone.first(zone.day_of(now) + 1, kNoon), zone, which);
  return parse_time(text, parse_time("12_07", now, zone).value() + kYear, zone, which);
}

struct Asked {
  std::string start, end;
  Seconds duration = kUnlimited;
};

Result<Asked> asked_for(const Context& context) {
  Asked asked{context.value("s", "NOW"), context.value("e", "INFINITY")};
  if (context.has("d") && context.has("e")) return Error{"setres: either -d or -e, not both"};
  if (!context.has("d")) return asked;
  const auto duration = parse_duration_ahead(context.value("d"), context.now());
  if (!duration) return Error{"-d: " + duration.error().what};
  if (duration->raw() <= 0) return Error{"-d: expected a duration above zero"};
  asked.duration = *duration;
  return asked;
}

void move_on(TimeFrame& frame, const Asked& asked, Time now, const TimeZone& zone) {
  if (asked.duration < kUnlimited) {
    const auto start = recurs(asked.start) ? next_time(asked.start, now, zone, Moment::start)
                                           : Result<Time>(frame.start);
    if (!start) return;
    frame = {*start, *start + asked.duration};
    return;
  }
  if (!recurs(asked.end)) return;
  const auto end = next_time(asked.end, now, zone, Moment::end);
  if (!end) return;
  frame.end = *end;
  if (frame.start >= now || !recurs(asked.start)) return;
  if (const auto start = next_time(asked.start, now, zone, Moment::start);
      start && *start < frame.end)
    frame.start = *start;
}

}  // namespace

Result<TimeFrame> time_frame(const Context& context) {
  const Time now = context.now();
  const TimeZone& zone = context.settings().zone;
  const auto asked = asked_for(context);
  if (!asked) return asked.error();
  const auto start = parse_time(asked->start, now, zone);
  if (!start) return Error{"-s: " + start.error().what};
  if (*start >= kForever)
    return Error{fmt::format("-s: invalid value '{}': expected a time of start", asked->start)};
  const auto end = parse_time(asked->end, now, zone, Moment::end);
  if (!end) return Error{"-e: " + end.error().what};
  TimeFrame frame{*start, *end};
  if (asked->duration < kUnlimited) frame.end = frame.start + asked->duration;
  const bool in_order = frame.start < frame.end || !context.has("s");
  if (in_order && frame.end <= now) move_on(frame, *asked, now, zone);
  if (const auto last = time_ahead(context.value("d"), frame.start, asked->duration); !last)
    return Error{"-d: " + last.error().what};
  if (frame.end <= frame.start)
    return Error{
        fmt::format("cannot create reservation (invalid timeframe: it would end {}, before "
                    "its start {})",
                    format_date(frame.end, true), format_date(frame.start, true))};
  return frame;
}

}  // namespace maui
