#include "base/outside_text.h"

#include <algorithm>
#include <cstdint>

namespace maui {
namespace {

bool is_plain(char c) { return c >= ' ' && c <= '~'; }

std::string without_controls(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size());
  for (;;) {
    const auto plain = static_cast<std::size_t>(
        std::find_if_not(text.begin(), text.end(), is_plain) - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) return out;
    const Utf8Character character = first_character(text);
    if (is_control(character) && kept.find(text.front()) == kept.npos)
      out += '?';
    else
      out += text.substr(0, character.bytes);
    text.remove_prefix(character.bytes);
  }
}

}  // namespace

bool is_control(const Utf8Character& character) {
  const auto within = [&](std::uint32_t from, std::uint32_t to) {
    return character.code >= from && character.code <= to;
  };
  return !character.valid || within(0, 0x1F) || within(0x7F, 0x9F) || character.code == 0x061C ||
         within(0x200B, 0x200F) || within(0x2028, 0x202E) || within(0x2060, 0x206F) ||
         character.code == 0xFEFF || within(0xFFF9, 0xFFFB) || within(0xE0000, 0xE007F);
}

std::string printable(std::string_view text) { return without_controls(text, ""); }

std::string printable_lines(std::string_view text) { return without_controls(text, "\n\t"); }

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
  return std::string(text.substr(0, most)) + "...";
}

}  // namespace maui
