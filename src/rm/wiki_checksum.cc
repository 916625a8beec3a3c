#include "rm/wiki_checksum.h"

#include <fmt/format.h>

#include <array>

#include "base/text.h"

namespace maui {
namespace {

constexpr std::size_t kAtOnce = 8;  // bytes
using CrcTable = std::array<std::uint16_t, 256>;

/// Returns, for each byte, what it adds to the remainder when `i` more bytes follow.
constexpr std::array<CrcTable, kAtOnce> crc_tables() {
  std::array<CrcTable, kAtOnce> tables{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    unsigned crc = byte << 8;
    for (int bit = 0; bit < 8; ++bit) crc = (crc << 1) ^ ((crc & 0x8000u) != 0 ? 0x1021u : 0u);
    tables[0][byte] = static_cast<std::uint16_t>(crc);
  }
  for (std::size_t i = 1; i < kAtOnce; ++i)
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const unsigned before = tables[i - 1][byte];
      tables[i][byte] = static_cast<std::uint16_t>(before << 8 ^ tables[0][before >> 8]);
    }
  return tables;
}
constexpr auto kCrcTables = crc_tables();

constexpr std::array<std::uint32_t, 4> kBefore{0xcba4e531, 0x537158eb, 0x145cdc3c, 0x0d3fdeb2};
constexpr std::array<std::uint32_t, 4> kAfter{0x12be4590, 0xab54ce58, 0x6954c7a6, 0x15a2ca46};

}  // namespace

std::uint16_t crc16(std::string_view text) {
  unsigned crc = 0;
  const auto byte = [&text](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  for (; text.size() >= kAtOnce; text.remove_prefix(kAtOnce)) {
    unsigned next = kCrcTables[7][byte(0) ^ crc >> 8] ^ kCrcTables[6][byte(1) ^ (crc & 0xffu)];
    for (std::size_t i = 2; i < kAtOnce; ++i) next ^= kCrcTables[kAtOnce - 1 - i][byte(i)];
    crc = next;
  }
  for (std::size_t i = 0; i < text.size(); ++i)
    crc = (crc << 8 & 0xffffu) ^ kCrcTables[0][byte(i) ^ crc >> 8];
  return static_cast<std::uint16_t>(crc);
}

std::optional<std::uint32_t> parse_wiki_key(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text.front() == '0') {
    base = 8;
  }
  if (const auto key = parse_integer<std::uint64_t>(text, base))
    return static_cast<std::uint32_t>(*key);
  return std::nullopt;
}

std::string wiki_checksum(std::string_view text, std::uint32_t key) {
  std::uint32_t left = crc16(text), right = key;
  for (std::size_t round = 0; round < kBefore.size(); ++round) {
    const std::uint32_t a = right ^ kBefore[round];
    const std::uint32_t low = a & 0xffffu, high = a >> 16;
    const std::uint32_t b = low * low + ~(high * high);
    const std::uint32_t swapped = (b >> 16) | (b << 16);
    const std::uint32_t next = left ^ ((swapped ^ kAfter[round]) + low * high);
    left = right;
    right = next;
  }
  return fmt::format("{:08x}{:08x}", left, right);
}

}  // namespace maui
