// Limits on the size of an HTTP request.
#pragma once
#include <cstddef>

namespace maui {

inline constexpr std::size_t kLongestHead = 8192;    // of a request, including its first line
inline constexpr std::size_t kLongestTarget = 2048;  // the text between method and version
inline constexpr std::size_t kMostFields = 64;       // of a head
inline constexpr std::size_t kMostWords = 32;        // of a path, and of a query

}  // namespace maui
