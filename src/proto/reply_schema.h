// The form of replies in JSON, as a JSON Schema (draft 2020-12), made from the structs themselves.
#pragma once
#include <string>

namespace maui {

/// A line for each member and element; $defs has each kind of reply, and "error" of the API.
std::string reply_schema();

}  // namespace maui
