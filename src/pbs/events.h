// Events of which servers notify an external scheduler: they connect to its port, send four bytes
// in network order and close (TORQUE), or send a number in DIS (PBS Pro, OpenPBS 20).
#pragma once
#include <string_view>

#include "pbs/dis.h"

namespace maui::pbs {

inline constexpr int kEventPort = 15004;

/// Returns true if the bytes from a client are an event number; which event does not matter.
inline bool is_event(std::string_view said) {
  if (said.starts_with(std::string_view("\0\0\0", 3))) return said.size() >= 4;
  DisReader number(said);
  return number.number() > 0 && number.good();
}

}  // namespace maui::pbs
