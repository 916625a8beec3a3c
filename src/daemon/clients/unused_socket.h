// The files that a Unix-domain socket of the scheduler may take the place of.
#pragma once
#include <string>

#include "maui/result.h"

namespace maui {

/// Succeeds if there is nothing at the path, or a socket at which nobody listens, or at which a
/// scheduler of the home directory does: this process, or one that has lost its lease.  It
/// also succeeds for a process that is just ending, for which it waits half a second, and for one
/// at which so many wait that nobody else can: that may be a scheduler that hangs.  The error says
/// what is there.  Changes nothing.
Status check_unused(const std::string& path, const std::string& home);

}  // namespace maui
