// Warnings about valid lines that have no effect, or not the effect that most people expect.
#pragma once
#include <string>
#include <vector>

#include "config/parser.h"
#include "config/values.h"

namespace maui::config {

/// Warnings about one line by itself: an attribute set twice, a soft limit above the hard limit.
std::vector<std::string> advice_on_line(const Key& key, const Line& line);

/// Returns a sentence for each parameter that has no effect while another parameter is not set.
std::vector<std::string> advice(const Values& values, const Settings& settings);

}  // namespace maui::config
