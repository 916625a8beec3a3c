// The machine and the queue over time: averages over steps of equal length.
#pragma once
#include <vector>

#include "compare/outcome.h"

namespace maui::compare {

struct Timeline {
  Time begin{0};
  Seconds step{1};
  std::vector<double> busy;     // processors of running jobs, average of each step
  std::vector<double> waiting;  // jobs, the same
};

/// From `begin` to `end` in at most `most` steps of whole minutes, hours or days where these are
/// long enough.  Several runs of one workload are compared over the same time.
Timeline timeline_of(const Outcome& outcome, Time begin, Time end, std::size_t most);

/// Jobs by their wait: how many waited at most so long, and longer than the step before.
struct WaitStep {
  Seconds most{0};  // kUnlimited: the last
  std::int64_t jobs = 0;
};
std::vector<WaitStep> wait_steps(const Outcome& outcome);

}  // namespace maui::compare
