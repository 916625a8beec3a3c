// maui --generate-key.
#pragma once
#include <string>

#include "maui/result.h"

namespace maui {

/// Adds a new secret to `path` (maui-private.cfg); creates the file with mode 0600 if needed.
/// Refuses a file that has a secret: all clients that use that secret would be locked out.
Status generate_secret(const std::string& path);

}  // namespace maui
