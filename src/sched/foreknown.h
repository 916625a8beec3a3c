// What attempts to plan a cycle have shown: the next attempt begins with it (guide 8.4).
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

/// What attempts to plan a cycle have shown so far.
struct Foreknown {
  std::vector<JobId> let_in;          // preemptors_to_let_in()
  std::vector<SettledStart> settled;  // settled_starts()
};

}  // namespace maui
