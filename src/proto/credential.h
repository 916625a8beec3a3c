// Credentials of munge in messages (docs/decisions/messages.md): what one holds, and the lines
// between the scheduler and the helper that reads them.
//
// A credential holds a key that was drawn for one request, and only the scheduler's user may open
// it.  The request and its reply are signed with that key, so a credential says nothing for any
// other request, and nobody else can answer.
#pragma once
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "maui/result.h"

namespace maui {

/// A longer one is not looked at; those of requests have 300 bytes.
inline constexpr std::size_t kMostCredential = 4096;

/// Munge's word about a credential.
struct Voucher {
  uid_t user = 0;         // who had it made
  std::int64_t made = 0;  // when, in epoch seconds of the host where it was made
  std::string key;        // of the request that it came with
};

/// The content of a credential with this key.
std::string credential_content(std::string_view key);
/// The key in a credential's content; nothing if the credential was made for something else.
std::optional<std::string> key_in(std::string_view content);
/// Has the size and the letters of a credential.
bool may_be_credential(std::string_view text);

/// The helper's answer, without the end of its line.
std::string voucher_line(const Result<Voucher>& read);
Result<Voucher> read_voucher_line(std::string_view line);

}  // namespace maui
