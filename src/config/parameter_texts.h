// Texts of the manual page of maui.cfg beside a parameter's row: an example, and a unit.
#pragma once
#include <string>

#include "config/attributes.h"
#include "config/parameters.h"

namespace maui::config {

/// Returns what a plain number of it counts: "processors"; empty where its values are words.
std::string unit_of(const Parameter& parameter);
/// A line as it might stand in maui.cfg, other than the default; empty where it has no effect.
std::string example_of(const Parameter& parameter);
/// When a change counts: a sentence.
std::string effect_of(const Parameter& parameter);

/// The same of an attribute of an object: "NODECFG[node003] MAXJOB=4".
std::string unit_of(const Attribute& attribute);
std::string example_of(const Parameter& object, const Attribute& attribute);
/// The value that counts where the object does not say one; empty: none does.
std::string default_of(const Parameter& object, const Attribute& attribute);

}  // namespace maui::config
