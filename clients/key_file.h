// The secret that a client shares with the server.
#pragma once
#include <string>

#include "maui/result.h"

namespace maui {

/// Reads "SECRET <hexadecimal digits>" from a file in the form of maui-private.cfg, or the digits
/// where they stand alone.  Refuses a file that everybody may read.
Result<std::string> read_secret(const std::string& path);

}  // namespace maui
