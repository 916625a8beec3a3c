// maui --check-config: what is wrong with a configuration, without running on it.
#pragma once
#include <ostream>
#include <string>

#include "config/configuration.h"
#include "daemon/options.h"

namespace maui {

/// Says everything that is wrong with the configuration of `home`, in its lines and with what a
/// start opens: directories, traces, programs, keys, ports.  Nothing that a start would leave
/// behind is left.  Returns the exit status: 0 if the scheduler would start, else 1.
int check_start(const Home& home, const ProgramOptions& options, std::ostream& out);

/// The name of the user who runs this; his number where he has none.
std::string effective_user();
/// Why this process may not be the scheduler: it acts with its user's rights, so it is the site's
/// word that it may (guide, ADMIN1).
Status check_user(const ServerSettings& settings);

}  // namespace maui
