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

/// The first character of `text`, which is not empty.  A byte that begins no character is one that
/// is not valid: overlong forms, surrogates and code points beyond U+10FFFF are none.
Utf8Character first_character(std::string_view text);

}  // namespace maui
