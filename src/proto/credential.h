// Munge credentials in messages (docs/decisions/messages.md): their content, and the lines
// exchanged between the scheduler and the helper that decodes them.
//
// A credential holds a key generated for one request, and only the scheduler's user can decode it.
// The key signs the request and its reply, so a credential is worthless for any other request, and
// nobody else can reply.
#pragma once
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "maui/result.h"

namespace maui {

/// The longest credential that is decoded; those of requests have about 300 bytes.
inline constexpr std::size_t kMostCredential = 4096;

/// The decoded credential, as munge vouches for it.
struct Voucher {
  uid_t user = 0;         // the user who created it
  std::int64_t made = 0;  // epoch seconds on the creating host
  std::string key;        // of the request that it accompanied
};

/// Returns the content of a credential with this key.
std::string credential_content(std::string_view key);
/// Returns the key in a credential's content; nullopt if it was made for another purpose.
std::optional<std::string> key_in(std::string_view content);
/// True if the text has the size and the characters of a credential.
bool may_be_credential(std::string_view text);

/// Encodes and decodes the helper's answer, a line without its end.
std::string voucher_line(const Result<Voucher>& read);
Result<Voucher> read_voucher_line(std::string_view line);

}  // namespace maui
