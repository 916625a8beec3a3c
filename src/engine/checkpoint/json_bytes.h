// JSON has text of Unicode; names may be of any bytes.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace maui {

/// The text of a value whose strings may hold bytes that are no UTF-8: each stands there as one of
/// the characters U+F700 to U+F7FF, which are nobody's; where a name has those, byte by byte.
std::string json_text(const nlohmann::json& value);
/// The value of such a text; throws what the library throws.
nlohmann::json parse_json_text(std::string_view text);

}  // namespace maui
