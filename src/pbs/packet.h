// The packets of OpenPBS: a mark of six bytes, a type byte (unused in replies), the payload size in
// four bytes in network order, and the payload.
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
  std::size_t size = 0;  // of the packet, with its head
  char kind = 0;         // type, in packets of a login; else unused
};

/// Types of packets that carry credentials.
inline constexpr char kCredentialPacket = 1, kRefusalPacket = 2, kTrustedPacket = 3;

/// Returns the packet that `bytes` begin with; nullopt if it is incomplete.  Fails if the bytes are
/// not a packet.
inline Result<std::optional<Packet>> first_packet(std::string_view bytes) {
  const auto mark = bytes.substr(0, kPacketMark.size());
  if (mark != kPacketMark.substr(0, mark.size())) return Error{"not a PBS packet"};
  if (bytes.size() < kPacketHead) return std::optional<Packet>();
  std::size_t size = 0;
  for (std::size_t i = kPacketHead - 4; i < kPacketHead; ++i)
    size = size * 256 + static_cast<unsigned char>(bytes[i]);
  if (size > kMostPayload) return Error{"the PBS packet is too large"};
  if (bytes.size() < kPacketHead + size) return std::optional<Packet>();
  return std::optional(
      Packet{bytes.substr(kPacketHead, size), kPacketHead + size, bytes[kPacketMark.size()]});
}

}  // namespace maui::pbs
