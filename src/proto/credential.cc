#include "proto/credential.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "proto/checksum.h"

namespace maui {
namespace {

// Distinguishes these credentials from others that the same users create for other servers.
constexpr std::string_view kContent = "maui request ";

constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";

bool is_key(std::string_view text) {
  return text.size() == kSecretDigits &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

std::string credential_content(std::string_view key) { return fmt::format("{}{}", kContent, key); }

std::optional<std::string> key_in(std::string_view content) {
  if (!content.starts_with(kContent)) return std::nullopt;
  content.remove_prefix(kContent.size());
  if (!is_key(content)) return std::nullopt;
  return std::string(content);
}

bool may_be_credential(std::string_view text) {
  constexpr std::string_view kBegin = "MUNGE:";
  if (text.size() > kMostCredential || !text.starts_with(kBegin) || !text.ends_with(':'))
    return false;
  text.remove_prefix(kBegin.size());
  return text.size() > 1 &&
         text.substr(0, text.size() - 1).find_first_not_of(kBase64) == std::string_view::npos;
}

std::string voucher_line(const Result<Voucher>& read) {
  if (read) return fmt::format("OK {} {} {}", read->user, read->made, read->key);
  auto line = "NO " + read.error().what;
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

Result<Voucher> read_voucher_line(std::string_view line) {
  if (line.starts_with("NO ")) return Error{std::string(line.substr(3))};
  const auto parts = words(line);
  if (parts.size() != 4 || parts[0] != "OK" || !is_key(parts[3]))
    return Error{"cannot parse the answer of the helper for munge"};
  const auto user = parse_integer<uid_t>(parts[1]);
  const auto made = parse_integer<std::int64_t>(parts[2]);
  if (!user || !made) return Error{"cannot parse the answer of the helper for munge"};
  return Voucher{*user, *made, std::string(parts[3])};
}

}  // namespace maui
