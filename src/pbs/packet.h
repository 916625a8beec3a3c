// The packets of OpenPBS: a mark of six bytes, a byte that says nothing in replies, the size of the
// payload in four bytes, the highest first, and the payload.
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

#include "maui/result.h"

namespace maui::pbs {

inline constexpr std::string_view kPacketMark{"PKTV1\0", 6};
inline constexpr std::size_t kPacketHead = 11;
inline constexpr std::size_t kMostPayload = std::size_t{1} << 28;

struct Packet {
  std::string_view payload;
  std::size_t size = 0;  // with its head
  char kind = 0;  // of packets by which a connection comes to be trusted; else it says nothing
};

/// Kinds of packets that carry credentials.
inline constexpr char kCredentialPacket = 1, kRefusalPacket = 2, kTrustedPacket = 3;

/// The packet that `bytes` begin with; nothing: it is not there yet as a whole.  Fails on what is
/// no packet.
inline Result<std::optional<Packet>> first_packet(std::string_view bytes) {
  const auto mark = bytes.substr(0, kPacketMark.size());
  if (mark != kPacketMark.substr(0, mark.size())) return Error{"it is no packet of PBS"};
  if (bytes.size() < kPacketHead) return std::optional<Packet>();
  std::size_t size = 0;
  for (std::size_t i = kPacketHead - 4; i < kPacketHead; ++i)
    size = size * 256 + static_cast<unsigned char>(bytes[i]);
  if (size > kMostPayload) return Error{"a packet of PBS is too large"};
  if (bytes.size() < kPacketHead + size) return std::optional<Packet>();
  return std::optional(
      Packet{bytes.substr(kPacketHead, size), kPacketHead + size, bytes[kPacketMark.size()]});
}

}  // namespace maui::pbs
