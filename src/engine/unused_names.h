// Names that nobody uses any more are given up, so that whoever reports ever new ones takes no
// more memory than those do that are in use together.
#pragma once
#include "maui/units.h"

namespace maui {

struct EngineKnowledge;

/// Looks for them where there are twice as many as were in use, and at nodes that were purged.
/// False if there are more of these than it looks at in one go.
bool give_up_unused_names(EngineKnowledge& known, Time now);

}  // namespace maui
