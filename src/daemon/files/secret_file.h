// maui --generate-key.
#pragma once
#include <string>

#include "maui/result.h"

namespace maui {

/// Adds a new secret to `path` (maui-private.cfg), which is made with mode 0600 if it is not there.
/// Refuses a file that has one: every client that knows it would be locked out.
Status generate_secret(const std::string& path);

}  // namespace maui
