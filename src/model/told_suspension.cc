#include "model/told_suspension.h"

#include <fmt/format.h>

#include <algorithm>

#include "maui/clock.h"
#include "model/job_dates.h"

namespace maui {
std::optional<Seconds> told_suspension(Seconds told, Time began, Time until) {
  const Seconds run = until - std::min(began, until);
  if (told > run + kClockAdjusted) return std::nullopt;
  return std::min(told, run);
}

std::optional<Seconds> told_suspension(const Job& reported, JobState state, const Job* here,
                                       Time now) {
  const bool ended = state == JobState::completed || state == JobState::removed;
  const Time end = std::min(ended ? reported.ended : now, now);
  if (here && (here->active() || here->suspended())) {
    const Time until =
        ended ? std::min(end_by_our_clock(*here, reported.started, reported.ended, now), now) : now;
    return told_suspension(reported.suspended_time, here->began(), until);
  }
  const bool waits = state == JobState::idle || state == JobState::not_queued;
  return waits ? Seconds(0) : told_suspension(reported.suspended_time, reported.started, end);
}

Seconds suspended_until(const Job& job, Time until) {
  if (!job.suspended()) return job.suspended_time;
  return job.suspended_time + std::max(until - job.suspended_since, Seconds(0));
}

std::string told_too_long(const std::string& job) {
  return fmt::format(
      "job '{}' is reported to have been suspended for longer than its run has lasted: ignored",
      job);
}

}  // namespace maui
