#include "engine/reports/doubted_jobs.h"

#include <algorithm>

namespace maui {

/// The resource manager may have counted a suspension since then as suspended time.
std::optional<DoubtedRun> doubted_run(const DoubtedJob& doubted, const Job& job) {
  if (doubted.reported == JobState::suspended && job.active()) {
    const Seconds before = doubted.suspended + job.clock_set;
    return DoubtedRun{JobState::suspended, std::max(doubted.since, job.started + before), before};
  }
  if (doubted.reported == JobState::running && job.suspended()) {
    const Time since = std::max(doubted.since, job.suspended_since);
    return DoubtedRun{JobState::running, since, job.suspended_time + (since - job.suspended_since)};
  }
  return std::nullopt;
}

}  // namespace maui
