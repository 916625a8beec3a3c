// No file of the scheduler may be another one's: a log in the place of maui.cfg would be rolled
// away.
#pragma once
#include "config/configuration.h"
#include "maui/result.h"
#include "maui/settings.h"

namespace maui {

/// Returns an error if two files that the scheduler reads or writes are one, by their paths once
/// links are followed, or if HTTPSOCKET is among the records in STATDIR.
Status check_files_differ(const Home& home, const Settings& settings);

}  // namespace maui
