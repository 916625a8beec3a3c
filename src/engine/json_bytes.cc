#include "engine/json_bytes.h"

#include <cstdint>
#include <utility>

namespace maui {
namespace {

using Json = nlohmann::json;

// U+F700 to U+F7FF: these bytes, and one that has the lower six bits.
constexpr std::string_view kMarks[] = {"\xef\x9c", "\xef\x9d", "\xef\x9e", "\xef\x9f"};

bool has_marks(std::string_view text) {
  for (const auto mark : kMarks)
    if (text.find(mark) != text.npos) return true;
  return false;
}

bool is_mark(std::string_view text) { return text.size() > 2 && has_marks(text.substr(0, 2)); }

/// How many bytes of one UTF-8 character `text` begins with; 0: it begins with none.
std::size_t character(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xc2 && first < 0xe0   ? 2
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  const bool too_long = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  const bool none = (first == 0xed && byte(1) > 0x9f) || (first == 0xf4 && byte(1) > 0x8f);
  return too_long || none ? 0 : length;
}

std::string marked(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (const auto length = character(text); length > 0 && !is_mark(text)) {
      out += text.substr(0, length);
      text.remove_prefix(length);
      continue;
    }
    const auto byte = static_cast<std::uint8_t>(text.front());
    out += kMarks[byte >> 6];
    out += static_cast<char>(0x80 | (byte & 0x3f));
    text.remove_prefix(1);
  }
  return out;
}

std::string unmarked(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (!is_mark(text)) {
      out += text.front();
      text.remove_prefix(1);
      continue;
    }
    const unsigned high = static_cast<std::uint8_t>(text[1]) & 3U;
    out += static_cast<char>(high << 6 | (static_cast<std::uint8_t>(text[2]) & 0x3fU));
    text.remove_prefix(3);
  }
  return out;
}

/// The same with `f` of every string, names of members included.
template <class F>
Json with_strings(const Json& value, F f) {
  if (value.is_string()) return f(value.get_ref<const std::string&>());
  if (value.is_array()) {
    Json out = Json::array();
    for (const Json& one : value) out.push_back(with_strings(one, f));
    return out;
  }
  if (!value.is_object()) return value;
  Json out = Json::object();
  for (const auto& [name, one] : value.items()) out[f(name)] = with_strings(one, f);
  return out;
}

}  // namespace

std::string json_text(const Json& value) {
  try {
    auto text = value.dump();
    if (!has_marks(text)) return text;
  } catch (const Json::type_error&) {  // some string is no UTF-8
  }
  return with_strings(value, marked).dump();
}

Json parse_json_text(std::string_view text) {
  auto value = Json::parse(text);
  return has_marks(text) ? with_strings(value, unmarked) : value;
}

}  // namespace maui
