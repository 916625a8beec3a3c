// The variants of the batch protocol that servers of the PBS family speak.
#pragma once
#include <cstdint>
#include <string_view>

namespace maui::pbs {

enum class Dialect : std::uint8_t {
  bare,     // TORQUE, OpenPBS and PBS Pro up to 19: values without packets
  packets,  // OpenPBS 20: values in packets
  parts,    // OpenPBS from 22: in packets, and a long reply in parts
};

/// The numbers with which every request and reply begins; other numbers make servers crash.
inline constexpr int kProtocolType = 2, kProtocolVersion = 2;

inline bool framed(Dialect dialect) { return dialect != Dialect::bare; }

inline std::string_view name_of(Dialect dialect) { return framed(dialect) ? "OpenPBS" : "TORQUE"; }

}  // namespace maui::pbs
