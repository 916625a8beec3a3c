// Sizes and durations as PBS writes them.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "maui/units.h"

namespace maui::pbs {

/// Megabytes, rounded up, from "200mb", "24684096kb", "104857600b", "2gb", "5w" (words of eight
/// bytes); a plain number is bytes.  Nothing if it is no size.
std::optional<std::int32_t> megabytes(std::string_view text);

/// Seconds from "01:00:00", "3600" or "1:02:03:04"; nothing if it is no duration.
std::optional<Seconds> duration(std::string_view text);

/// True from "True", "true", "t", "1", "y" and their like.
bool is_true(std::string_view text);

}  // namespace maui::pbs
