// The files that the scheduler reads and runs decide what it does with its rights: nobody but root
// and the user who runs it may be able to change them.
#pragma once
#include <string>

#include "config/configuration.h"
#include "maui/result.h"
#include "maui/settings.h"

namespace maui {

/// An error if others may write to the configuration's files, the programs of the site, the home
/// directory and those that the scheduler writes in, or a directory above them.  Above them one
/// where everybody may make files of his own (mode 1777, as /tmp) will do.
Status check_places(const Home& home, const Settings& settings);

/// The same of one place and all above it.
Status check_place(const std::string& path);

}  // namespace maui
