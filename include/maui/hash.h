// One step of a hash over several values.
#pragma once
#include <cstdint>

namespace maui {

/// Returns the hash of the values that `seed` stands for, followed by `value`.  To begin with a
/// value, mix it into 0: a seed that is a bare value cancels out an equal one that follows it.
constexpr std::uint64_t mix(std::uint64_t seed, std::uint64_t value) noexcept {
  seed = (seed ^ value) * 0x9e3779b97f4a7c15U;
  return seed ^ seed >> 29U;
}

}  // namespace maui
