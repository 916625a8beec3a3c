// One step of a hash over several values.
#pragma once
#include <cstdint>

namespace maui::availability {

inline std::uint64_t mix(std::uint64_t seed, std::uint64_t value) {
  seed = (seed ^ value) * 0x9e3779b97f4a7c15ULL;
  return seed ^ seed >> 29;
}

}  // namespace maui::availability
