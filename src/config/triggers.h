// TRIGGER of SRCFG: EVENT[+OFFSET][@THRESHOLD];ACTION[@DATA] (seed 7.1.5.2).
#pragma once
#include <vector>

#include "config/value_type.h"
#include "maui/settings/standing_reservations.h"

namespace maui::config {

/// Any number of triggers; a colon may stand before the action, as in the seed's example.
ValueType triggers();
/// Reads triggers from canonical words.
std::vector<Trigger> triggers_of(const Words& value);

}  // namespace maui::config
