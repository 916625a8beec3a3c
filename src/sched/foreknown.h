// Findings of attempts to plan a cycle, with which the next attempt begins (guide 8.4).
#pragma once
#include <vector>

#include "maui/plan.h"

namespace maui {

/// The start of a preemptor that takes jobs of the same plan.
struct SettledStart {
  StartJob start;
  std::vector<PreemptJob> victims = {};  // active jobs that leave for it
  std::vector<JobId> displaced = {};     // jobs that start or resume unless it does
};

/// The findings of all attempts so far.
struct Foreknown {
  std::vector<JobId> let_in;          // preemptors_to_let_in()
  std::vector<SettledStart> settled;  // settled_starts()
};

}  // namespace maui
