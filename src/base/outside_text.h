// Text from outside: names, reasons, command lines.  Whoever chose it may have put
// anything into it; before it is shown to people it passes one of these.
//
// A control character is one that a terminal follows rather than shows: those of ASCII and of C1,
// those that turn the direction of writing around, line and paragraph separators, and bytes that
// are no UTF-8.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "base/utf8.h"

namespace maui {

/// The longest value of others that a message quotes whole.
inline constexpr std::size_t kLongestValue = 1024;

bool is_control(const Utf8Character& character);
/// Control characters become '?'.
std::string printable(std::string_view text);
/// The same, but line ends and tabs stay: the text is ours, with values of others in it.
std::string printable_lines(std::string_view text);

/// At most so many bytes of it, and "..." where there are more; no character is cut in two.
std::string shortened(std::string_view text, std::size_t most = kLongestValue);

}  // namespace maui
