// maui --check-config: checks a configuration without running the scheduler on it.
#pragma once
#include <ostream>
#include <string>

#include "config/configuration.h"
#include "daemon/options.h"

namespace maui {

/// Reports all errors in the configuration of `home`: in its lines, and in what the scheduler opens
/// when it starts (directories, traces, programs, keys, ports).  Leaves no files behind.  Returns
/// the exit status: 0 if the scheduler would start, else 1.
int check_start(const Home& home, const ProgramOptions& options, std::ostream& out);

/// Returns an error if two files that the configuration names are one, or if others may write to
/// such a place; `shared`: others may be able to (ProgramOptions::shared_home).
Status check_all_places(const Home& home, bool shared, const Configuration& configuration);
/// Returns an error if a place that `next` names for the log or for statistics cannot be written,
/// or if the scheduler could not listen at HTTPSOCKET, unless `now` names the same place.
Status check_new_places(const Home& home, const Settings& now, const Settings& next);
/// Returns the name of the user who runs this process, or the user ID if there is no name.
std::string effective_user();
/// Returns an error if this process may not be the scheduler: the scheduler acts with its user's
/// rights, so the site must allow that user (guide, ADMIN1).
Status check_user(const ServerSettings& settings);

}  // namespace maui
