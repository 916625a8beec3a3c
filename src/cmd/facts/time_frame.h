// When a reservation holds: the flags -s, -d and -e of setres (guide G), by the scheduler's clock.
#pragma once
#include "cmd/context.h"

namespace maui {

struct TimeFrame {
  Time start{0};
  Time end = kForever;
};

/// A date without a year is one of this year, a time without a date one of today; where the frame
/// would be over by now, those of next year, or of tomorrow.
Result<TimeFrame> time_frame(const Context& context);

}  // namespace maui
