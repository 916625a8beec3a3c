// The JSON library, with checked integers.
//
// The library converts any number to any other: 1e35 read into an int is undefined behaviour, and
// 300 read into a byte is 44.  Here an integer is read only from a whole number in its range;
// otherwise the library's type_error (302) or out_of_range (406) is thrown.  Include this header
// instead of the library's own.
#pragma once
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <utility>

namespace nlohmann {

template <class T>
struct adl_serializer<T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>>> {
  template <class AnyJson>
  static void to_json(AnyJson& out, T value) {
    ::nlohmann::to_json(out, value);
  }
  template <class AnyJson>
  static void from_json(const AnyJson& in, T& value) {
    if (!in.is_number_integer())
      throw AnyJson::type_error::create(302, "expected a whole number", &in);
    if (in.is_number_unsigned() ? !std::in_range<T>(in.template get_ref<const std::uint64_t&>())
                                : !std::in_range<T>(in.template get_ref<const std::int64_t&>()))
      throw AnyJson::out_of_range::create(
          406,
          "expected a whole number from " + std::to_string(std::numeric_limits<T>::min()) + " to " +
              std::to_string(std::numeric_limits<T>::max()),
          &in);
    ::nlohmann::from_json(in, value);
  }
};

}  // namespace nlohmann
