// The runs recorded in a file of ended jobs: statistics of earlier years, a log, or the accounting
// of another scheduler (maui --relearn).
#pragma once
#include <string>
#include <vector>

#include "maui/result.h"
#include "maui/units.h"
#include "sim/trace_summary.h"

namespace maui {

struct EndedRun {
  std::string user, name;
  int procs = 1;
  Seconds limit{1}, run{1};
  Time ended{0};
};

/// Reads the jobs that ran, in the order of their ends.  Where a log (.swf) does not give a job's
/// wait, its end counts as if it had not waited.  `summary` has the bad lines, and the jobs from
/// which nothing can be learned, with the reasons.
Result<std::vector<EndedRun>> read_ended_runs(const std::string& path, TraceSummary& summary);

}  // namespace maui
