// The ways in which servers of PBS's family speak the batch protocol.
#pragma once
#include <cstdint>
#include <string_view>

namespace maui::pbs {

enum class Dialect : std::uint8_t {
  bare,     // TORQUE, OpenPBS and PBS Pro up to 19: one value behind the other
  packets,  // OpenPBS 20: in packets
  parts,    // OpenPBS from 22: likewise, and a long reply comes in parts
};

/// The numbers with which every request and every reply begins; servers crash on others.
inline constexpr int kProtocolType = 2, kProtocolVersion = 2;

inline bool framed(Dialect dialect) { return dialect != Dialect::bare; }

inline std::string_view name_of(Dialect dialect) { return framed(dialect) ? "OpenPBS" : "TORQUE"; }

}  // namespace maui::pbs
