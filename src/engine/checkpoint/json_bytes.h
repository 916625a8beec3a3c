// Arbitrary bytes in JSON: JSON text is Unicode, but names may contain any bytes.
#pragma once
#include <string>
#include <string_view>

#include "base/json.h"

namespace maui {

/// Returns the text of a value whose strings may contain bytes that are not valid UTF-8.  They are
/// written as private characters, U+F700 to U+F7FF; so are the bytes of any such characters.
std::string json_text(const nlohmann::json& value);
/// Returns the value of such a text; throws the library's exceptions.
nlohmann::json parse_json_text(std::string_view text);

}  // namespace maui
