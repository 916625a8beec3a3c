// Sorted vectors without duplicates.
#pragma once
#include <algorithm>
#include <vector>

namespace maui {

/// Sorts values in any order, and keeps one of equal ones.
template <class T>
void sort_unique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// Inserts `value` in its place; returns false if it is there already.
template <class T>
bool add_sorted(std::vector<T>& values, const T& value) {
  const auto at = std::lower_bound(values.begin(), values.end(), value);
  if (at != values.end() && *at == value) return false;
  values.insert(at, value);
  return true;
}

/// Adds values in any order to a sorted vector.
template <class T>
void add_all_sorted(std::vector<T>& values, const std::vector<T>& more) {
  values.insert(values.end(), more.begin(), more.end());
  sort_unique(values);
}

}  // namespace maui
