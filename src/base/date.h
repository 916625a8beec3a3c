// Points in time as people read them, in the process's time zone (TZ), and write them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "maui/result.h"
#include "maui/time_zone.h"
#include "maui/units.h"

namespace maui {

/// "Sun Sep  9 01:59:40"; with `year`, "Sun Sep  9 01:59:40 2001".
std::string format_date(Time when, bool year = false);

/// Chooses between the two moments of a time that comes twice, when clocks are put back: the first
/// is a start, the second an end.
enum class Moment : std::uint8_t { start, end };
/// The time forms of setres (guide G): +[[[DD:]HH:]MM:]SS from `now`; HH[:MM[:SS]][_MO[/DD[/YY]]],
/// which is the day and the year of `now` when none is given; NOW; INFINITY.  A plain number of ten
/// digits or more is an epoch time.
Result<Time> parse_time(std::string_view text, Time now, const TimeZone& zone,
                        Moment which = Moment::start);

}  // namespace maui
