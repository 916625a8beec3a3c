// Lines of a configuration that are right and do nothing, or not what most people expect.
#pragma once
#include <string>
#include <vector>

#include "config/parser.h"
#include "config/values.h"

namespace maui::config {

/// Warnings about one line by itself: an attribute given twice, a soft limit above the hard one.
std::vector<std::string> advice_on_line(const Key& key, const Line& line);

/// Parameters that have no effect as long as another one is not set.
std::vector<std::string> advice(const Values& values, const Settings& settings);

}  // namespace maui::config
