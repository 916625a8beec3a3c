// maui --check-config [FILE]: what is wrong with a configuration, without running on it.
#pragma once
#include <ostream>
#include <string>

namespace maui {

/// Prints everything there is to say of the file at `path`, and a verdict; returns the exit status:
/// 0 when the scheduler would start with it, else 1.
int check_config(const std::string& path, std::ostream& out);

}  // namespace maui
