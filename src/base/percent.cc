#include "base/percent.h"

#include <algorithm>

namespace maui {
namespace {

constexpr std::string_view kDigits = "0123456789ABCDEF";

/// Escapes blanks, control characters, '%', the characters of `also` and bytes beyond `last`.
std::string escape(std::string_view text, std::string_view also, unsigned char last) {
  const auto plain = [=](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte > ' ' && byte != 0x7f && byte <= last && c != '%' && also.find(c) == also.npos;
  };
  if (std::all_of(text.begin(), text.end(), plain)) return std::string(text);
  std::string out;
  for (const char c : text) {
    if (plain(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return out;
}

}  // namespace

std::string percent_escaped(std::string_view text, std::string_view also) {
  return escape(text, also, 0xff);
}

std::string percent_escaped_ascii(std::string_view text, std::string_view also) {
  return escape(text, also, 0x7f);
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
