// When is a standing reservation active? (seed 7.1.5.2.1)
//
// The calendar of PERIOD, DAYS, STARTTIME and ENDTIME, DEPTH periods ahead, in the server's time
// zone.  A day begins at midnight, a week at midnight before Sunday; times are read off the clocks
// of the zone, so that a period is as long as the clocks make it.
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

/// Those that are not over, in order.  PERIOD INFINITY has one, of period kForever, which begins
/// now.  Where ENDTIME is not after STARTTIME, it is that of the next day or week; then index 0 is
/// the period before the current one.
std::vector<Occurrence> occurrences(const StandingReservationSettings& standing,
                                    const TimeZone& zone, Time now);

/// The next midnight: when periods roll.
Time next_midnight(const TimeZone& zone, Time now);

}  // namespace maui
