// The use of the machine and the queue over time, averaged over steps of equal length.
#pragma once
#include <vector>

#include "compare/outcome.h"

namespace maui::compare {

struct Timeline {
  Time begin{0};
  Seconds step{1};
  std::vector<double> busy;     // processors in use, average of each step
  std::vector<double> waiting;  // waiting jobs, average of each step
};

/// Covers `begin` to `end` in at most `most` steps, of whole minutes, hours or days where possible.
/// Runs of one workload are compared over the same time.
Timeline timeline_of(const Outcome& outcome, Time begin, Time end, std::size_t most);

/// The number of jobs that waited at most `most`, and longer than in the preceding step.
struct WaitStep {
  Seconds most{0};  // kUnlimited: last step
  std::int64_t jobs = 0;
};
std::vector<WaitStep> wait_steps(const Outcome& outcome);

}  // namespace maui::compare
