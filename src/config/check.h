// maui --check-config [FILE]: what is wrong with a configuration, without running on it.
#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "config/configuration.h"

namespace maui {

/// Why the scheduler cannot run on the resource managers that are configured: a kind that cannot be
/// driven, no port, no key.  In a simulation they have no say, and nothing is wrong with them.
std::vector<std::string> resource_manager_problems(const Configuration& configuration);

/// Prints everything there is to say of the file at `path`, and a verdict; returns the exit status:
/// 0 when the scheduler would start with it, else 1.
int check_config(const std::string& path, std::ostream& out);

}  // namespace maui
