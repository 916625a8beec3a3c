// The time frame of a reservation: flags -s, -d and -e of setres (guide G), by scheduler time.
#pragma once
#include "cmd/context.h"

namespace maui {

struct TimeFrame {
  Time start{0};
  Time end = kForever;
};

/// Parses the flags.  A date without a year is in this year, a time without a date is today; if the
/// frame would have ended by now, in next year or tomorrow.
Result<TimeFrame> time_frame(const Context& context);

}  // namespace maui
