// Sees to it that nobody else may write where the scheduler writes: who can put a link there has
// the scheduler overwrite what it leads to, with its rights.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "maui/result.h"
#include "maui/settings.h"

namespace maui {

/// The home directory and those of log, statistics and checkpoint.
std::vector<std::filesystem::path> directories_written(const std::string& home,
                                                       const Settings& settings);

/// An error unless each of them belongs to the user who runs this, or to root, and others may not
/// write there.  One that is not there is made later, and is right.
Status check_directories(const std::string& home, const Settings& settings);

}  // namespace maui
