// Texts of the manual page of maui.cfg beside a parameter's row: an example, and a unit.
#pragma once
#include <string>

#include "config/parameters.h"

namespace maui::config {

/// Returns what a plain number of it counts: "processors"; empty where its values are words.
std::string unit_of(const Parameter& parameter);
/// A line as it might stand in maui.cfg, other than the default; empty where it has no effect.
std::string example_of(const Parameter& parameter);
/// When a change counts: a sentence.
std::string effect_of(const Parameter& parameter);

}  // namespace maui::config
