// Names of the values of an enumeration: each row binds a value to its name.
//
// A table may have several names for one value; the first one is displayed.
#pragma once
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/text.h"

namespace maui {

template <class E>
struct EnumName {
  E value;
  std::string_view name;
};

template <class E>
std::string_view name_of(std::span<const EnumName<E>> table, E value) {
  const auto at = std::find_if(table.begin(), table.end(),
                               [&](const EnumName<E>& row) { return row.value == value; });
  return at == table.end() ? std::string_view("?") : at->name;
}

/// Ignores case.
template <class E>
std::optional<E> value_of(std::span<const EnumName<E>> table, std::string_view name) {
  const auto at = std::find_if(table.begin(), table.end(),
                               [&](const EnumName<E>& row) { return same_word(row.name, name); });
  return at == table.end() ? std::nullopt : std::optional<E>(at->value);
}

}  // namespace maui
