// Times as accounting logs write them.
#pragma once
#include <optional>
#include <string_view>

#include "maui/time_zone.h"
#include "maui/units.h"

namespace maui {

/// Seconds since the epoch, "2024-05-01T12:00:00", which is by the clocks of `zone`, or the same
/// with "Z" or an offset such as "+02:00" behind it; nothing if it is no time.
std::optional<Time> parse_log_time(std::string_view text, const TimeZone& zone);

/// Slurm's lengths of time: minutes, "minutes:seconds", "hours:minutes:seconds", "days-hours" and
/// so on; kUnlimited for UNLIMITED.  Nothing if it is none.
std::optional<Seconds> parse_slurm_limit(std::string_view text);

}  // namespace maui
