#include "proto/json_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/outside_text.h"

namespace maui {
namespace {

bool is_plain(char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; }

void append_escape(std::string& out, std::uint32_t code) {
  constexpr std::string_view kShort = "\"\"\\\\\nn\rr\tt\bb\ff";  // pairs: character, escape letter
  for (std::size_t i = 0; i < kShort.size(); i += 2)
    if (code == static_cast<unsigned char>(kShort[i])) {
      out += {'\\', kShort[i + 1]};
      return;
    }
  const auto into = std::back_inserter(out);
  if (code < 0x10000) {
    fmt::format_to(into, "\\u{:04x}", code);
    return;
  }
  const std::uint32_t rest = code - 0x10000;
  fmt::format_to(into, "\\u{:04x}\\u{:04x}", 0xD800 + (rest >> 10U), 0xDC00 + (rest & 0x3FFU));
}

}  // namespace

void JsonWriter::key(std::string_view name) {
  separate();
  quoted(name);
  out_ += layout_ == JsonLayout::lines ? ": " : ":";
  behind_name_ = true;
}

void JsonWriter::string(std::string_view text) {
  separate();
  quoted(text);
}

void JsonWriter::integer(std::int64_t value) {
  separate();
  std::array<char, 24> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  out_.append(digits.data(), end);
}

void JsonWriter::number(double value) {
  separate();
  if (!std::isfinite(value) || value == 0) value = 0;  // avoids -0, too
  std::array<char, 40> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  out_.append(digits.data(), end);
}

void JsonWriter::boolean(bool value) {
  separate();
  out_ += value ? "true" : "false";
}

void JsonWriter::null() {
  separate();
  out_ += "null";
}

void JsonWriter::open(char bracket) {
  separate();
  out_ += bracket;
  ++depth_;
  first_ = true;
}

void JsonWriter::close(char bracket) {
  --depth_;
  if (!first_) new_line();
  out_ += bracket;
  first_ = false;
}

void JsonWriter::separate() {
  if (std::exchange(behind_name_, false)) return;
  if (!std::exchange(first_, false)) out_ += ',';
  if (depth_ > 0) new_line();
}

void JsonWriter::new_line() {
  if (layout_ == JsonLayout::compact) return;
  out_ += '\n';
  out_.append(2 * depth_, ' ');
}

void JsonWriter::quoted(std::string_view text) {
  out_ += '"';
  while (!text.empty()) {
    const auto plain = static_cast<std::size_t>(
        std::find_if_not(text.begin(), text.end(), is_plain) - text.begin());
    out_ += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const auto character = first_character(text);
    if (!character.valid)
      out_ += "\xEF\xBF\xBD";
    else if (is_control(character) || character.code == '"' || character.code == '\\')
      append_escape(out_, character.code);
    else
      out_ += text.substr(0, character.bytes);
    text.remove_prefix(character.bytes);
  }
  out_ += '"';
}

}  // namespace maui
