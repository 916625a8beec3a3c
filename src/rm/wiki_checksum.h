// The checksum of WIKI messages (reference: the protocol's own, AUTHTYPE=CHECKSUM).
//
// It is a CRC, stirred with a key of 32 bits: it finds damage and wrong keys, and keeps out nobody
// who means harm.  Nothing but WIKI uses it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace maui {

/// CRC-16: polynomial 0x1021, start 0, not reflected (XMODEM).
std::uint16_t crc16(std::string_view text);

/// A key as people write it: decimal, 0x and hexadecimal, or 0 and octal; modulo 2^32.  Nothing if
/// it is no such number.
std::optional<std::uint32_t> parse_wiki_key(std::string_view text);

/// 16 hexadecimal digits.
std::string wiki_checksum(std::string_view text, std::uint32_t key);

}  // namespace maui
