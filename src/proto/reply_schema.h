// The JSON Schema (draft 2020-12) of replies, generated from the structs themselves.
#pragma once
#include <string>

namespace maui {

/// Returns the schema, formatted in lines; $defs has all kinds of reply and the API's "error".
std::string reply_schema();

}  // namespace maui
