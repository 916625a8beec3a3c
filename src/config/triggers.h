// TRIGGER of SRCFG: EVENT[+OFFSET][@THRESHOLD];ACTION[@DATA] (seed 7.1.5.2).
#pragma once
#include <vector>

#include "config/value_type.h"
#include "maui/settings/standing_reservations.h"

namespace maui::config {

/// A type for any number of triggers; a colon may precede the action, as in the guide's example.
ValueType triggers();
/// Parses triggers from canonical words.
std::vector<Trigger> triggers_of(const Words& value);

}  // namespace maui::config
