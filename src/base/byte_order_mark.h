// The byte order mark of UTF-8, with which some programs begin a text.
#pragma once
#include <string_view>

namespace maui {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace maui
