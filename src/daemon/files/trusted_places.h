// The files that the scheduler reads and runs control what it does with its rights: only root and
// the user who runs the scheduler may be able to change them.
#pragma once
#include <sys/types.h>

#include <string>

#include "config/client_authentication.h"
#include "config/configuration.h"
#include "maui/result.h"
#include "maui/settings.h"

namespace maui {

/// Returns an error if others may write to the configuration files, the checkpoints, the site's
/// programs, the home directory, the directories that the scheduler writes to, or a directory above
/// them, or may put a socket of their own where MUNGESOCKET says.  Above them, a directory where
/// everybody may create own files (mode 1777, as /tmp) is allowed.
Status check_places(const Home& home, const Settings& settings,
                    const config::ClientAuthentication& clients);

/// Checks one path, all directories above it, and every link and directory that it leads through.
/// If nothing exists there yet, others must not be able to make it.
/// `trusted` is a user besides root and the scheduler's who may own what is there.
Status check_place(const std::string& path, uid_t trusted = 0);

/// Returns an error if a socket of MUNGESOCKET is where others could put one of their own: whoever
/// answers there decides who a client is.  Munge's own user (munge, if there is one) may own it.
Status check_munge_sockets(const config::ClientAuthentication& clients);

}  // namespace maui
