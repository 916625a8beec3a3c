// Checks that no other user may write where the scheduler writes: by a link there, such a user
// could make the scheduler overwrite any file that it has access to.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "maui/result.h"
#include "maui/settings.h"

namespace maui {

/// Returns the home directory and the directories of log, statistics, checkpoint and HTTPSOCKET.
std::vector<std::filesystem::path> directories_written(const std::string& home,
                                                       const Settings& settings);

/// Returns an error unless each directory belongs to root or the user who runs this process and is
/// not writable by others.  A directory that does not exist is created later, and is no error.
Status check_directories(const std::string& home, const Settings& settings);

/// Takes from others (not from the group) the right to open the home directory, with which anybody
/// could lock it; they can still use files in it by name.  Returns true if they had the right.
Result<bool> forbid_listing(const std::string& home);

}  // namespace maui
