// Makes and reads munge's credentials.  Each call asks munged, and waits for it some ten seconds at
// most: nobody calls this who serves others meanwhile.
#pragma once
#include <sys/types.h>

#include <string>

#include "maui/result.h"
#include "proto/credential.h"

namespace maui::munge {

/// A credential for one request, by whoever runs this program, that `reader` alone may open.
/// `socket` is munged's; empty: where munge has it.
Result<std::string> make_credential(const std::string& socket, const std::string& key,
                                    uid_t reader);

/// A credential for others than maui (a PBS server), by whoever runs this program.
Result<std::string> make_plain_credential(const std::string& socket, const std::string& content);

/// Opens a credential.  munged refuses one that is too old, was opened before on this host, is not
/// for this user, or was made with another key.
Result<Voucher> read_credential(const std::string& socket, const std::string& credential);

}  // namespace maui::munge
