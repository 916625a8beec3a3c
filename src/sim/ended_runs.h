// The runs that a file of ended jobs holds: statistics of earlier years, a log, or what another
// scheduler has accounted (maui --relearn).
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

/// Reads the jobs that ran, in the order of their ends; a log (.swf) does not say how long they
/// waited, so that there the order of submissions counts.  Bad lines are reported.
Result<std::vector<EndedRun>> read_ended_runs(const std::string& path, TraceSummary& summary);

}  // namespace maui
