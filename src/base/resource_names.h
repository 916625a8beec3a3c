// The names of the resources that every node has; all other consumables are generic.
#pragma once
#include <algorithm>
#include <array>
#include <string_view>

#include "base/text.h"

namespace maui {

/// In the order of their ids.
inline constexpr std::array<std::string_view, 4> kElementaryNames{"PROCS", "MEM", "SWAP", "DISK"};

inline bool is_elementary_name(std::string_view name) {
  return std::any_of(kElementaryNames.begin(), kElementaryNames.end(),
                     [&](std::string_view known) { return same_word(name, known); });
}

}  // namespace maui
