// UTF-8 (RFC 3629), character by character.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace maui {

struct Utf8Character {
  std::uint32_t code = 0;  // the code point; the byte's value if it is not valid
  std::size_t bytes = 1;
  bool valid = true;
};

/// Returns the first character of `text`, which must not be empty.  A byte that begins no valid
/// character (overlong form, surrogate, code point beyond U+10FFFF) is returned as invalid.
Utf8Character first_character(std::string_view text);

}  // namespace maui
