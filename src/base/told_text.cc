#include "base/told_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace maui {
namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
  bool valid = true;
};

/// The character that `text`, which is not empty, begins with.
Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : std::uint32_t{0};
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead};
  const std::size_t bytes = lead >= 0xC2 && lead <= 0xDF   ? 2
                            : lead >= 0xE0 && lead <= 0xEF ? 3
                            : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                           : 0;
  if (bytes == 0) return {lead, 1, false};
  std::uint32_t code = lead & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {lead, 1, false};
    code = code << 6U | (byte(i) & 0x3FU);
  }
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  const bool outside = code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF);
  return overlong || outside ? Character{lead, 1, false} : Character{code, bytes};
}

bool is_control(const Character& one) {
  const auto within = [&](std::uint32_t from, std::uint32_t to) {
    return one.code >= from && one.code <= to;
  };
  return !one.valid || within(0, 0x1F) || within(0x7F, 0x9F) || one.code == 0x061C ||
         within(0x200B, 0x200F) || within(0x2028, 0x202E) || within(0x2060, 0x206F) ||
         one.code == 0xFEFF || within(0xFFF9, 0xFFFB) || within(0xE0000, 0xE007F);
}

bool is_plain(char c) { return c >= ' ' && c <= '~'; }

template <class Replace>
std::string without_controls(std::string_view text, std::string_view kept, Replace replace) {
  std::string out;
  out.reserve(text.size());
  for (;;) {
    const auto plain = static_cast<std::size_t>(
        std::find_if_not(text.begin(), text.end(), is_plain) - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) return out;
    const Character one = first_of(text);
    if (is_control(one) && kept.find(text.front()) == kept.npos)
      out += replace(one);
    else
      out += text.substr(0, one.bytes);
    text.remove_prefix(one.bytes);
  }
}

std::string_view question_mark(const Character&) { return "?"; }

std::string json_escape(const Character& one) {
  if (!one.valid) return "\\ufffd";
  if (one.code < 0x10000) return fmt::format("\\u{:04x}", one.code);
  const auto rest = one.code - 0x10000;
  return fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (rest >> 10U), 0xDC00 + (rest & 0x3FFU));
}

}  // namespace

std::string printable(std::string_view text) { return without_controls(text, "", question_mark); }

std::string printable_lines(std::string_view text) {
  return without_controls(text, "\n\t", question_mark);
}

std::string escaped_json(std::string_view json) {
  return without_controls(json, " \n\r\t", json_escape);
}

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
  return std::string(text.substr(0, most)) + "...";
}

}  // namespace maui
