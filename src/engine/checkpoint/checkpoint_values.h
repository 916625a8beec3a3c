// Writes and reads values in checkpoints.
//
// Frequent lines are appended field by field, without a tree of values; all others are written by
// the library.
#pragma once
#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/json.h"
#include "engine/checkpoint/json_bytes.h"
#include "maui/cluster_names.h"

namespace maui {

// The library finds these by overload when it writes or reads a value of these types.
void to_json(nlohmann::json& out, Time time);
void from_json(const nlohmann::json& in, Time& time);
void to_json(nlohmann::json& out, Seconds seconds);
void from_json(const nlohmann::json& in, Seconds& seconds);

}  // namespace maui

namespace maui::checkpointing {

using Json = nlohmann::json;

/// Rejects a checkpoint with an impossible value; caught together with the library's own errors.
[[noreturn]] inline void refuse(const std::string& what) {
  throw Json::other_error::create(500, what, nullptr);
}

/// Reads the number of an enumerator; `last` is the last one of its type.
template <class E>
E enumerator(const Json& in, E last) {
  const int number = in.get<int>();
  if (number < 0 || number > static_cast<int>(last))
    refuse(fmt::format("expected a number from 0 to {}, not {}", static_cast<int>(last), number));
  return static_cast<E>(number);
}

/// Rejects a number of tasks that no job has.
int tasks_of(const Json& in);

/// Amounts of consumables, by name.
Json json_of(const ClusterNames& names, const Resources& amount);
Resources resources_of(const Json& in, ClusterNames& names);

/// Appends a value in JSON.
inline void append(std::string& out, std::string_view text) {
  bool plain = true;
  for (const char c : text)  // without a branch, so that many are compared at once
    plain &= c >= ' ' && c <= '~' && c != '"' && c != '\\';
  if (!plain) {
    out += json_text(text);
    return;
  }
  out += '"';
  out += text;
  out += '"';
}
template <class T>
requires std::is_arithmetic_v<T>
void append(std::string& out, T value) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    const fmt::format_int digits(value);
    out.append(digits.data(), digits.size());
  } else {
    fmt::format_to(std::back_inserter(out), "{}", value);
  }
}
inline void append(std::string& out, Time time) { append(out, time.raw()); }
inline void append(std::string& out, Seconds seconds) { append(out, seconds.raw()); }
template <class T>
requires(!std::is_arithmetic_v<T> &&
         !std::is_convertible_v<T, std::string_view>) void append(std::string& out,
                                                                  const T& value) {
  out += json_text(Json(value));
}

/// Writes an object field by field.
class Fields {
 public:
  explicit Fields(std::string& out) : out_(out) {}
  template <class T>
  void add(std::string_view name, const T& value) {
    begin(name);
    append(out_, value);
  }
  /// Writes the name of a field; the caller must append its value next.
  void begin(std::string_view name) {
    out_ += std::exchange(before_, ',');
    append(out_, name);
    out_ += ':';
  }
  /// Ends the object; without fields it is written as Json::object() is.
  void end() { out_ += before_ == '{' ? "{}" : "}"; }

 private:
  std::string& out_;
  char before_ = '{';
};

/// Appends one line for each entry.
template <class All, class F>
void append_lines(std::string& out, const All& all, F append_one) {
  const char* before = "[\n";
  for (const auto& entry : all) {
    out += std::exchange(before, ",\n");
    append_one(entry);
  }
  out += all.empty() ? "[]" : "]";
}

}  // namespace maui::checkpointing
