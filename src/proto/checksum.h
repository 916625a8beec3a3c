// Checksums between client and server: HMAC-SHA256, written as 64 hexadecimal digits.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace maui {

/// The minimum number of hexadecimal digits of a secret: 256 bits.
inline constexpr std::size_t kSecretDigits = 64;

inline constexpr std::size_t kChecksumDigits = 64;
std::string checksum(std::string_view secret, std::string_view text);
/// Compares checksums in constant time.
bool same_checksum(std::string_view a, std::string_view b);
/// Returns `bytes` bytes from the system's secure random generator, as hexadecimal digits.
std::string random_digits(std::size_t bytes);

}  // namespace maui
