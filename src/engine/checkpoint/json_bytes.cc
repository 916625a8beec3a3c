#include "engine/checkpoint/json_bytes.h"

#include <cstdint>
#include <utility>

#include "base/utf8.h"

namespace maui {
namespace {

using Json = nlohmann::json;

// U+F700 to U+F7FF: one of these prefixes, then a byte with the lower six bits.
constexpr std::string_view kMarks[] = {"\xef\x9c", "\xef\x9d", "\xef\x9e", "\xef\x9f"};

bool has_marks(std::string_view text) {
  for (const auto mark : kMarks)
    if (text.find(mark) != text.npos) return true;
  return false;
}

bool is_mark(std::string_view text) { return text.size() > 2 && has_marks(text.substr(0, 2)); }

std::string marked(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (const auto character = first_character(text); character.valid && !is_mark(text)) {
      out += text.substr(0, character.bytes);
      text.remove_prefix(character.bytes);
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

/// Returns the value with `f` applied to every string, including names of members.
template <class F>
Json with_strings(const Json& value, F f) {
  if (value.is_string()) return f(value.get_ref<const std::string&>());
  if (value.is_array()) {
    Json out = Json::array();
    for (const Json& element : value) out.push_back(with_strings(element, f));
    return out;
  }
  if (!value.is_object()) return value;
  Json out = Json::object();
  for (const auto& [name, member] : value.items()) out[f(name)] = with_strings(member, f);
  return out;
}

}  // namespace

std::string json_text(const Json& value) {
  try {
    auto text = value.dump();
    if (!has_marks(text)) return text;
  } catch (const Json::type_error&) {  // some string is not valid UTF-8
  }
  return with_strings(value, marked).dump();
}

Json parse_json_text(std::string_view text) {
  auto value = Json::parse(text);
  return has_marks(text) ? with_strings(value, unmarked) : value;
}

}  // namespace maui
