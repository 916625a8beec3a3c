#include "proto/checksum.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace maui {
namespace {

std::string hexadecimal(const unsigned char* bytes, std::size_t count) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text;
  text.reserve(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    text += kHex[bytes[i] >> 4];
    text += kHex[bytes[i] & 15];
  }
  return text;
}

// Without a working OpenSSL, nothing can be authenticated; continuing would be worse than ending.
[[noreturn]] void give_up(const char* what) {
  std::fprintf(stderr, "ERROR:    OpenSSL cannot %s\n", what);
  std::abort();
}

}  // namespace

std::string checksum(std::string_view secret, std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  std::size_t size = 0;
  if (EVP_Q_mac(nullptr, "HMAC", nullptr, "SHA256", nullptr, secret.data(), secret.size(),
                reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data(),
                digest.size(), &size) == nullptr)
    give_up("compute HMAC-SHA256");
  return hexadecimal(digest.data(), size);
}

bool same_checksum(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string random_digits(std::size_t bytes) {
  std::vector<unsigned char> drawn(bytes);
  if (RAND_bytes(drawn.data(), static_cast<int>(bytes)) != 1) give_up("draw random bytes");
  return hexadecimal(drawn.data(), bytes);
}

}  // namespace maui
