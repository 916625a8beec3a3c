// Points in time as queries of the past give them.
#pragma once
#include <string_view>

#include "maui/result.h"
#include "maui/time_zone.h"
#include "maui/units.h"

namespace maui {

/// "2024-05-01" (its midnight), "2024-05-01T12:00:00", seconds since the epoch, the forms of setres
/// (base/date.h), or -[[[DD:]HH:]MM:]SS, that long before `now`.
Result<Time> parse_past_time(std::string_view text, Time now, const TimeZone& zone);

struct Period {
  Time start{0}, end = kForever;
};

/// Parses "START" or "START,END".
Result<Period> parse_period(std::string_view text, Time now, const TimeZone& zone);

}  // namespace maui
