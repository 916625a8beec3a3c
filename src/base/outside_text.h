// Text from outside: names, reasons, command lines.  It may contain anything, so it must pass
// through one of these functions before it is displayed.
//
// A control character is one that a terminal executes instead of displaying it: those of ASCII and
// of C1, those that reverse the writing direction, line and paragraph separators, and bytes that
// are not valid UTF-8.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "base/utf8.h"

namespace maui {

/// The longest outside value that a message quotes in full.
inline constexpr std::size_t kLongestValue = 1024;

bool is_control(const Utf8Character& character);
/// Replaces control characters by '?'.
std::string printable(std::string_view text);
/// Like printable(), but keeps line ends and tabs, for our own text with outside values in it.
std::string printable_lines(std::string_view text);

/// Returns at most `most` bytes of the text, and "..." if there are more; cuts no character in two.
std::string shortened(std::string_view text, std::size_t most = kLongestValue);

}  // namespace maui
