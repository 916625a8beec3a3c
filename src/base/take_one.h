// A multimap as a list of expected values: each is removed when it is found.
#pragma once
#include <algorithm>

namespace maui {

/// Removes a value with that key for which `same` is true; returns false if there is none.
template <class Map, class Same>
bool take_one(Map& all, const typename Map::key_type& key, Same same) {
  const auto [first, last] = all.equal_range(key);
  const auto found =
      std::find_if(first, last, [&](const auto& entry) { return same(entry.second); });
  if (found == last) return false;
  all.erase(found);
  return true;
}

}  // namespace maui
