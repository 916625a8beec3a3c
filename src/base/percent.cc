#include "base/percent.h"

#include <algorithm>
#include <array>

#include "base/outside_text.h"

namespace maui {
namespace {

constexpr std::string_view kDigits = "0123456789ABCDEF";

using Bytes = std::array<bool, 256>;

/// The bytes that are never escaped in any position.
constexpr Bytes kPlain = [] {
  Bytes plain{};
  for (unsigned char c = ' ' + 1; c < 0x7f; ++c) plain[c] = c != '%';
  return plain;
}();

bool all_among(const Bytes& bytes, std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [&](char c) { return bytes[static_cast<unsigned char>(c)]; });
}

Bytes plain_without(std::string_view also) {
  Bytes plain = kPlain;
  for (const char c : also) plain[static_cast<unsigned char>(c)] = false;
  return plain;
}

/// Returns the text with blanks, control characters (base/outside_text.h), '%', the characters of
/// `also`, and, if `ascii`, characters that are not ASCII escaped.
std::string escaped(std::string_view text, std::string_view also, bool ascii) {
  const Bytes bytes = plain_without(also);
  const auto plain = [&](const Utf8Character& character) {
    if (character.bytes > 1) return !ascii && !is_control(character);
    return character.valid && bytes[static_cast<unsigned char>(character.code)];
  };
  std::string out;
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
  return out;
}

}  // namespace

bool needs_no_escapes(std::string_view text, std::string_view also) {
  return also.empty() ? all_among(kPlain, text) : all_among(plain_without(also), text);
}

std::string percent_escaped(std::string_view text, std::string_view also) {
  return needs_no_escapes(text, also) ? std::string(text) : escaped(text, also, false);
}

void append_percent_escaped(std::string& out, std::string_view text, std::string_view also) {
  if (needs_no_escapes(text, also))  // nearly always
    out += text;
  else
    out += escaped(text, also, false);
}

std::string percent_escaped_ascii(std::string_view text, std::string_view also) {
  return needs_no_escapes(text, also) ? std::string(text) : escaped(text, also, true);
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
