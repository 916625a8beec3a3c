// Sums up why a job waited, and for how long.
#pragma once
#include <vector>

#include "compare/outcome.h"
#include "history/wait_history.h"

namespace maui::compare {

/// Returns the total time of each reason, longest first.
std::vector<WaitReason> sums_of(const std::vector<WaitHistory::Period>& periods);

}  // namespace maui::compare
