// Points in time as people read and write them, in the process's time zone (TZ).
#pragma once
#include <string>
#include <string_view>

#include "maui/result.h"
#include "maui/units.h"

namespace maui {

/// "Sun Sep  9 01:59:40"; with `year`, "Sun Sep  9 01:59:40 2001".
std::string format_date(Time when, bool year = false);

/// The time forms of setres (guide G): +[[[DD:]HH:]MM:]SS from `now`; HH[:MM[:SS]][_MO[/DD[/YY]]],
/// which is today when no date is given; NOW; INFINITY.  A plain number of ten digits or more is an
/// epoch time.
Result<Time> parse_time(std::string_view text, Time now);

}  // namespace maui
