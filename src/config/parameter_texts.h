// Texts of the manual page of maui.cfg beyond a parameter's row: examples and units.
#pragma once
#include <string>

#include "config/attributes.h"
#include "config/parameters.h"

namespace maui::config {

/// Returns the unit of the parameter's numbers: "processors"; empty if its values are words.
std::string unit_of(const Parameter& parameter);
/// Returns a line of maui.cfg that sets another value than the default; empty if it has no effect.
std::string example_of(const Parameter& parameter);
/// Returns a sentence that says when a change takes effect.
std::string effect_of(const Parameter& parameter);

/// The same for an attribute of an object: "NODECFG[node003] MAXJOB=4".
std::string unit_of(const Attribute& attribute);
std::string example_of(const Parameter& object, const Attribute& attribute);
/// Returns the value that applies if the object does not set the attribute; empty: none.
std::string default_of(const Parameter& object, const Attribute& attribute);

}  // namespace maui::config
