#include "base/percent.h"

#include <algorithm>
#include <array>

#include "base/outside_text.h"

namespace maui {
namespace {

constexpr std::string_view kDigits = "0123456789ABCDEF";

/// True for bytes that are never escaped in any position.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (unsigned char c = ' ' + 1; c < 0x7f; ++c) plain[c] = c != '%';
  return plain;
}();

/// Appends the text with blanks, control characters (base/outside_text.h), '%', the characters of
/// `also`, and, if `ascii`, characters that are not ASCII escaped.
void escape(std::string& out, std::string_view text, std::string_view also, bool ascii) {
  const auto stands = [&](char c) {
    return kPlain[static_cast<unsigned char>(c)] && also.find(c) == also.npos;
  };
  if (std::all_of(text.begin(), text.end(), stands)) {  // nearly always
    out += text;
    return;
  }
  const auto plain = [&](const Utf8Character& character) {
    if (character.bytes > 1) return !ascii && !is_control(character);
    return character.valid && stands(static_cast<char>(character.code));
  };
  while (!text.empty()) {
    const auto next = first_character(text);
    for (const char c : text.substr(0, next.bytes)) {
      const auto byte = static_cast<unsigned char>(c);
      if (plain(next))
        out += c;
      else
        out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
    text.remove_prefix(next.bytes);
  }
}

}  // namespace

std::string percent_escaped(std::string_view text, std::string_view also) {
  std::string out;
  escape(out, text, also, false);
  return out;
}

void append_percent_escaped(std::string& out, std::string_view text, std::string_view also) {
  escape(out, text, also, false);
}

std::string percent_escaped_ascii(std::string_view text, std::string_view also) {
  std::string out;
  escape(out, text, also, true);
  return out;
}

std::string percent_unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto high = i + 2 < text.size() ? kDigits.find(text[i + 1]) : kDigits.npos;
    const auto low = i + 2 < text.size() ? kDigits.find(text[i + 2]) : kDigits.npos;
    if (text[i] != '%' || high == kDigits.npos || low == kDigits.npos) {
      out += text[i];
      continue;
    }
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

}  // namespace maui
