// Errors that arise from several lines together rather than from a single line.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "maui/settings.h"

namespace maui::config {

using ParameterNames = std::set<std::string, std::less<>>;

/// Returns the ways in which settings contradict each other.  The parameters in `doubtful` have
/// wrong lines; the check draws no conclusions from them.
std::vector<std::string> contradictions(const Settings& settings, const ParameterNames& doubtful);

}  // namespace maui::config
