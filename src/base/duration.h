// Durations as users write them: [[[DD:]HH:]MM:]SS, or INFINITY (guide 3.4, appendix F).
#pragma once
#include <string>
#include <string_view>

#include "maui/result.h"
#include "maui/units.h"

namespace maui {

/// Parses plain seconds, MM:SS, HH:MM:SS or DD:HH:MM:SS; any field may exceed its usual range
/// ("168:00:00").  INFINITY, INFINITE and UNLIMITED give kUnlimited; a leading minus is accepted
/// only for plain seconds.
Result<Seconds> parse_duration(std::string_view text);
/// True if the text has the form of a duration, however long it is.
bool is_duration(std::string_view text);

/// Formats as release 3.3 does: [-][D:][H]:MM:SS, with "00:" for no hours ("00:41:00",
/// "1:15:53:20"); INFINITY from `infinite_from` on.
std::string format_duration(Seconds duration,
                            Seconds infinite_from = Seconds(kUnlimited.raw() / 2));

}  // namespace maui
