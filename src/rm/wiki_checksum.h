// The checksum of WIKI messages (reference: the protocol specification, AUTHTYPE=CHECKSUM).
//
// The checksum is a CRC mixed with a 32-bit key: it detects damage and wrong keys, but gives no
// protection against attackers.  Only WIKI uses it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace maui {

/// CRC-16: polynomial 0x1021, start 0, not reflected (XMODEM).
std::uint16_t crc16(std::string_view text);

/// Parses a key as administrators write it: decimal, hexadecimal (0x) or octal (0); modulo 2^32.
/// Returns nullopt if the text is no such number.
std::optional<std::uint32_t> parse_wiki_key(std::string_view text);

/// Returns 16 hexadecimal digits.
std::string wiki_checksum(std::string_view text, std::uint32_t key);

}  // namespace maui
