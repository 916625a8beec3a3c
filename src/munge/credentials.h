// Makes and reads munge's credentials.  Each call waits for munged, for about ten seconds at most,
// so processes that serve clients must not call these functions.
#pragma once
#include <sys/types.h>

#include <string>

#include "maui/result.h"
#include "proto/credential.h"

namespace maui::munge {

/// Makes a credential for one request, by the user of this process; only `reader` may open it.
/// `socket` is the socket of munged; empty: munge's default.
Result<std::string> make_credential(const std::string& socket, const std::string& key,
                                    uid_t reader);

/// Makes a credential for other programs than maui (a PBS server), by the user of this process.
Result<std::string> make_plain_credential(const std::string& socket, const std::string& content);

/// Opens a credential.  munged refuses credentials that are too old, were opened before on this
/// host, are not for this user, or were made with another key.
Result<Voucher> read_credential(const std::string& socket, const std::string& credential);

}  // namespace maui::munge
