// Frees names that nothing uses any more, so that a resource manager that keeps reporting new names
// needs no more memory than the names in use at one time do.
#pragma once
#include "maui/units.h"

namespace maui {

struct EngineKnowledge;

/// Frees them if there are twice as many as at the last count, and looks for unused purged nodes.
/// Returns false if there are more purged nodes than one call examines.
bool give_up_unused_names(EngineKnowledge& known, Time now);

}  // namespace maui
