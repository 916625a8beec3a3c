#include "proto/json_writer.h"

#include <array>
#include <charconv>
#include <cmath>

#include "base/utf8.h"

namespace maui {

void JsonWriter::key(std::string_view name) {
  separate();
  quoted(name);
  out_ += ':';
  first_ = true;
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
  if (!std::isfinite(value)) value = 0;
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
  first_ = true;
}

void JsonWriter::close(char bracket) {
  out_ += bracket;
  first_ = false;
}

void JsonWriter::separate() {
  if (!first_) out_ += ',';
  first_ = false;
}

void JsonWriter::quoted(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out_ += '"';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '"' || c == '\\') {
      out_ += '\\';
      out_ += text[i];
    } else if (c < 0x20) {
      out_ += "\\u00";
      out_ += kHex[c >> 4U];
      out_ += kHex[c & 15U];
    } else if (c < 0x80) {
      out_ += text[i];
    } else if (const auto character = first_character(text.substr(i)); character.valid) {
      out_.append(text, i, character.bytes);
      i += character.bytes - 1;
    } else {
      out_ += "\xEF\xBF\xBD";
    }
  }
  out_ += '"';
}

}  // namespace maui
