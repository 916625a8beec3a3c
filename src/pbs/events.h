// How servers notify an old scheduler that something has happened: they connect to its port, send
// four bytes, the highest first, and close (TORQUE), or a number in DIS (PBS Pro, OpenPBS 20).
#pragma once
#include <string_view>

#include "pbs/dis.h"

namespace maui::pbs {

inline constexpr int kEventPort = 15004;

/// True if a visitor's bytes are the number of an event; which it is does not matter.
inline bool is_event(std::string_view said) {
  if (said.starts_with(std::string_view("\0\0\0", 3))) return said.size() >= 4;
  DisReader number(said);
  return number.number() > 0 && number.good();
}

}  // namespace maui::pbs
