// Why a job of a run waited, and for how long in all.
#pragma once
#include <vector>

#include "compare/outcome.h"
#include "history/wait_history.h"

namespace maui::compare {

/// The sum of each reason, longest first.
std::vector<WaitReason> sums_of(const std::vector<WaitHistory::Period>& periods);

}  // namespace maui::compare
