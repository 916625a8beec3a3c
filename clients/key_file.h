// The secret that a client shares with the server.
#pragma once
#include <string>

#include "maui/result.h"

namespace maui {

/// Reads "SECRET <hexadecimal digits>" from a file in the format of maui-private.cfg, or a file
/// that contains the digits alone.  Refuses a file that everybody may read.
Result<std::string> read_secret(const std::string& path);

}  // namespace maui
