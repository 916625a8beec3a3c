// Sizes and durations in PBS notation.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "maui/units.h"

namespace maui::pbs {

/// Returns megabytes, rounded up, from "200mb", "24684096kb", "104857600b", "2gb", "5w" (words of
/// eight bytes); a plain number is in bytes.  Returns nullopt if the text is not a size.
std::optional<std::int32_t> megabytes(std::string_view text);

/// Returns seconds from "01:00:00", "3600" or "1:02:03:04"; nullopt if the text is not a duration.
std::optional<Seconds> duration(std::string_view text);

/// Returns true for "True", "true", "t", "1", "y" and similar words.
bool is_true(std::string_view text);

}  // namespace maui::pbs
