// When a standing reservation is active (seed 7.1.5.2.1).
//
// The calendar of PERIOD, DAYS, STARTTIME and ENDTIME, for DEPTH periods ahead, in the server's
// time zone.  A day begins at midnight, a week at midnight before Sunday.  Times are clock times of
// the zone, so a period may be longer or shorter when the clocks change.
#pragma once
#include <vector>

#include "maui/settings.h"

namespace maui {

struct Occurrence {
  int index = 0;   // 0: the current period, 1: the next one
  Time period{0};  // when the period begins
  Time start{0}, end{0};
  friend bool operator==(const Occurrence&, const Occurrence&) = default;
};

/// Every occurrence ends within this time of the beginning of its period: a weekly frame may begin
/// at the end of its week and last for another.
inline constexpr Seconds kLongestOccurrence{15 * 86400};

/// Returns the occurrences that have not ended, in order; with TIMEFLEX, also those that may have
/// been moved to a later time of their period, which has not ended.  PERIOD INFINITY has one
/// occurrence, which begins now; its period is kForever.  If ENDTIME is not after STARTTIME, it is
/// the time in the next day or week; then index 0 is the period before the current one.
std::vector<Occurrence> occurrences(const StandingReservationSettings& standing,
                                    const TimeZone& zone, Time now);

/// Returns the next midnight, when periods roll.
Time next_midnight(const TimeZone& zone, Time now);

}  // namespace maui
