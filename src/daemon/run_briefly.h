// Runs a program, without a shell, and waits for it no longer than is bearable.
#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "daemon/spawn.h"
#include "maui/result.h"

namespace maui {

/// What the program at `path` wrote to its standard output, given `input`.  An error if it cannot
/// be run, does not end in time, fails, or writes more than a megabyte; then it is killed, and what
/// it started with it.
Result<std::string> run_briefly(const std::string& path, const std::string& input,
                                std::chrono::milliseconds most,
                                const std::vector<std::string>& arguments = {},
                                Whose whose = Whose::site);

}  // namespace maui
