// Vectors that are kept sorted, without repetitions.
#pragma once
#include <algorithm>
#include <vector>

namespace maui {

/// Puts `value` where it belongs; false if it is there already.
template <class T>
bool add_sorted(std::vector<T>& values, const T& value) {
  const auto at = std::lower_bound(values.begin(), values.end(), value);
  if (at != values.end() && *at == value) return false;
  values.insert(at, value);
  return true;
}

}  // namespace maui
