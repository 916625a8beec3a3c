#include "proto/json_reader.h"

#include <fmt/format.h>

#include <charconv>

namespace maui {
namespace {

void append_utf8(std::string& into, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { into += static_cast<char>(byte); };
  const auto tail = [&](unsigned shift) { put(0x80U | ((code >> shift) & 0x3FU)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0U | (code >> 6U));
    tail(0);
  } else if (code < 0x10000) {
    put(0xE0U | (code >> 12U));
    tail(6);
    tail(0);
  } else {
    put(0xF0U | (code >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

bool blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

}  // namespace

void JsonReader::fail(std::string_view expected) {
  if (!failed()) error_ = fmt::format("byte {}: expected {}", at_, expected);
}

std::string JsonReader::string() {
  std::string text;
  quoted(text);
  return text;
}

std::int64_t JsonReader::integer() {
  blanks();
  std::int64_t value = 0;
  if (failed()) return value;
  const char* const begin = text_.data() + at_;
  const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
  at_ += static_cast<std::size_t>(end - begin);
  const char next = at_ < text_.size() ? text_[at_] : ',';
  if (error != std::errc{} || next == '.' || next == 'e' || next == 'E') {
    fail("an integer");
    return 0;
  }
  return value;
}

double JsonReader::number() {
  blanks();
  double value = 0;
  if (failed()) return value;
  const char* const begin = text_.data() + at_;
  const bool digits = at_ < text_.size() && (*begin == '-' || (*begin >= '0' && *begin <= '9'));
  const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
  if (!digits || error != std::errc{} || !(value - value == 0)) {
    fail("a number");
    return 0;
  }
  at_ += static_cast<std::size_t>(end - begin);
  return value;
}

bool JsonReader::boolean() {
  blanks();
  if (word("true")) return true;
  if (!word("false")) fail("true or false");
  return false;
}

bool JsonReader::null() {
  blanks();
  return word("null");
}

void JsonReader::skip() {
  blanks();
  const char next = at_ < text_.size() ? text_[at_] : '\0';
  if (next == '{') {
    object([this](std::string_view) { skip(); });
  } else if (next == '[') {
    array([this] { skip(); });
  } else if (next == '"') {
    string();
  } else if (!word("null") && !word("true") && !word("false")) {
    number();
  }
}

void JsonReader::end() {
  blanks();
  if (at_ != text_.size()) fail("nothing more");
}

bool JsonReader::enter(char bracket) {
  if (!take(bracket)) {
    fail(bracket == '{' ? "an object" : "an array");
    return false;
  }
  if (++depth_ > kMaxDepth) fail("less nesting");
  return !failed();
}

bool JsonReader::more(char closing, bool first) {
  if (take(closing)) return false;
  if (!first && !take(',')) fail(closing == '}' ? "',' or '}'" : "',' or ']'");
  return !failed();
}

bool JsonReader::take(char c) {
  blanks();
  if (failed() || at_ >= text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

bool JsonReader::word(std::string_view expected) {
  if (failed() || !text_.substr(at_).starts_with(expected)) return false;
  at_ += expected.size();
  return true;
}

void JsonReader::quoted(std::string& into) {
  if (!take('"')) return fail("a string");
  while (at_ < text_.size()) {
    const std::size_t stop = text_.find_first_of("\"\\", at_);
    if (stop == std::string_view::npos) break;
    into.append(text_, at_, stop - at_);
    at_ = stop + 1;
    if (text_[stop] == '"') return;
    escape(into);
    if (failed()) return;
  }
  fail("the end of a string");
}

void JsonReader::escape(std::string& into) {
  constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  const char letter = at_ < text_.size() ? text_[at_] : '\0';
  ++at_;
  if (const auto known = kLetters.find(letter); known != std::string_view::npos) {
    into += kMeanings[known];
    return;
  }
  if (letter != 'u') return fail("an escape");
  std::uint32_t code = hex();
  if (code >= 0xD800 && code < 0xDC00) {
    if (!text_.substr(std::min(at_, text_.size())).starts_with("\\u"))
      return fail("a low surrogate");
    at_ += 2;
    const std::uint32_t low = hex();
    if (low < 0xDC00 || low > 0xDFFF) return fail("a low surrogate");
    code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
  } else if (code >= 0xDC00 && code <= 0xDFFF) {
    return fail("a high surrogate");
  }
  append_utf8(into, code);
}

std::uint32_t JsonReader::hex() {
  std::uint32_t value = 0;
  const auto digits = at_ <= text_.size() ? text_.substr(at_, 4) : std::string_view();
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (digits.size() != 4 || error != std::errc{} || end != digits.data() + 4)
    fail("four hexadecimal digits");
  at_ += 4;
  return value;
}

void JsonReader::blanks() {
  while (at_ < text_.size() && blank(text_[at_])) ++at_;
}

}  // namespace maui
