// Amounts of memory, swap and disk as users write them.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace maui {

/// Returns megabytes from "512", "512M", "524288K", "2G"; nullopt if invalid or too large.
std::optional<std::int32_t> parse_size(std::string_view text, bool round_up);

}  // namespace maui
