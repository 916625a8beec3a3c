// Parses times as accounting logs write them.
#pragma once
#include <optional>
#include <string_view>

#include "maui/time_zone.h"
#include "maui/units.h"

namespace maui {

/// Parses seconds since the epoch, or a time such as "2024-05-01T12:00:00" in `zone`, or with "Z"
/// or an offset like "+02:00" after it; nullopt if the text is not a time.
std::optional<Time> parse_log_time(std::string_view text, const TimeZone& zone);

/// Parses Slurm's time limits: minutes, "minutes:seconds", "hours:minutes:seconds", "days-hours"
/// and so on; UNLIMITED gives kUnlimited.  Returns nullopt if the text is not a limit.
std::optional<Seconds> parse_slurm_limit(std::string_view text);

}  // namespace maui
