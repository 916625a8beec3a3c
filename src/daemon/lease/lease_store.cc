#include "daemon/lease/lease_store.h"

#include <fmt/format.h>

#include "base/text.h"
#include "proto/checksum.h"

namespace maui {
namespace {

// The checksum detects damage; a user who may write to the file can forge it.
constexpr std::string_view kNoSecret = "lease";
constexpr std::size_t kDigits = 16;  // of the checksum; enough to detect damage

std::string digits_of(std::string_view text) {
  return checksum(kNoSecret, text).substr(0, kDigits);
}

}  // namespace

std::string lease_text(const LeaseRecord& record) {
  const auto text =
      fmt::format("generation {} {} by {} process {} boot {} renewals {} time {} at {}",
                  record.generation, record.released ? "released" : "held", record.host,
                  record.process, record.boot.empty() ? "-" : record.boot, record.renewals,
                  record.time.count(), record.renewed_at.empty() ? "-" : record.renewed_at);
  return fmt::format("{} checksum {}", text, digits_of(text));
}

Result<LeaseRecord> parse_lease(const std::string& text) {
  constexpr std::string_view kSeal = " checksum ";
  const auto seal = text.rfind(kSeal);
  if (seal == std::string::npos ||
      text.substr(seal + kSeal.size()) != digits_of(text.substr(0, seal)))
    return Error{"the record of the lease is damaged"};
  const auto parts = words(std::string_view(text).substr(0, seal));
  constexpr std::size_t kWords = 15;
  if (parts.size() != kWords) return Error{"the record of the lease has an unknown format"};
  const auto number = [&](std::size_t at) { return parse_integer<std::int64_t>(parts[at]); };
  const auto generation = number(1), process = number(6), renewals = number(10), time = number(12);
  if (!generation || !process || !renewals || !time)
    return Error{"the record of the lease has an unknown format"};
  LeaseRecord record;
  record.generation = *generation;
  record.released = parts[2] == "released";
  record.host = parts[4];
  record.process = *process;
  record.boot = parts[8];
  record.renewals = *renewals;
  record.time = std::chrono::milliseconds(*time);
  record.renewed_at = parts[14];
  return record;
}

}  // namespace maui
