// Warnings about settings that are valid but do not fit the machine on which the scheduler starts.
#pragma once
#include <vector>

#include "config/configuration.h"
#include "config/diagnostic.h"

namespace maui {

/// Returns the warnings that both maui --check-config and a start give, each with its line of
/// maui.cfg: MAUIHOMEDIR is not the home directory, SERVERHOST is not this machine, munged does not
/// answer.  Looks up the hosts of SERVERHOST if none is this machine by its name, which may take
/// long, and waits for munged for two seconds at most.
std::vector<Diagnostic> start_warnings(const Home& home, const Configuration& configuration);

}  // namespace maui
