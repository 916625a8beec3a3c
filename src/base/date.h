// Parses and formats points in time in the process's time zone (TZ).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "maui/result.h"
#include "maui/time_zone.h"
#include "maui/units.h"

namespace maui {

/// Returns "Sun Sep  9 01:59:40"; with `year`, "Sun Sep  9 01:59:40 2001".
std::string format_date(Time when, bool year = false);

/// The last time that is kept: the end of the year 9999, the last with four digits.
inline constexpr Time kLatestTime{253402300799};
/// Returns the time that long after `from`.  If it is later than the last, the error names the
/// range; `text` is what the user wrote.
Result<Time> time_ahead(std::string_view text, Time from, Seconds ahead);

/// As parse_duration(), of a duration that begins at `from`: an error if it ends later than the
/// last time.
Result<Seconds> parse_duration_ahead(std::string_view text, Time from);

/// Selects one of the two points in time of a local time that occurs twice, when clocks are set
/// back: the first for a start, the second for an end.
enum class Moment : std::uint8_t { start, end };
/// Parses the time forms of setres (guide G): +[[[DD:]HH:]MM:]SS from `now`;
/// HH[:MM[:SS]][_MO[/DD[/YY]]], with the day and the year of `now` if none is given; NOW; INFINITY.
/// A plain number of ten digits or more is an epoch time.
Result<Time> parse_time(std::string_view text, Time now, const TimeZone& zone,
                        Moment which = Moment::start);

}  // namespace maui
