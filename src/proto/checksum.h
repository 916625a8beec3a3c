// Checksums between client and server: HMAC-SHA256, written as 64 hexadecimal digits.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace maui {

/// The fewest hexadecimal digits of a secret: 256 bits.
inline constexpr std::size_t kSecretDigits = 64;

inline constexpr std::size_t kChecksumDigits = 64;
std::string checksum(std::string_view secret, std::string_view text);
/// Takes the same time wherever the two differ.
bool same_checksum(std::string_view a, std::string_view b);
/// `bytes` bytes from the system's generator of secrets, as hexadecimal digits.
std::string random_digits(std::size_t bytes);

}  // namespace maui
