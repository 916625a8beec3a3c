// Amounts of memory, swap and disk as people write them.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace maui {

/// Megabytes from "512", "512M", "524288K", "2G"; nothing if it is no size or too large.
std::optional<std::int32_t> parse_size(std::string_view text, bool round_up);

}  // namespace maui
