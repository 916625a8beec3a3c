// Errors that lie in no single line, but in several together.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "maui/settings.h"

namespace maui::config {

using ParameterNames = std::set<std::string, std::less<>>;

/// Why the settings cannot be meant so.  Of the parameters in `doubtful` a line is wrong: from them
/// nothing is concluded.
std::vector<std::string> contradictions(const Settings& settings, const ParameterNames& doubtful);

}  // namespace maui::config
