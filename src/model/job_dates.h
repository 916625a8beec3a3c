// The dates of a job for those who read them later or side by side.
//
// The scheduler keeps the times of submission and start as the resource manager reports them, since
// these tell jobs and runs apart.  If the clock has been set back since then, they may be later
// than what followed.
#pragma once
#include "maui/job.h"

namespace maui {

struct JobDates {
  Time submitted{0};
  Time eligible_since{0};
  Time started = kForever;
};

/// Returns the dates by the clock as it now stands: the submission is never after the start, and
/// the time from the start to the end is never less than the run time.
JobDates dates_of(const Job& job);

/// Returns by how much the clock of the job's resource manager is behind: it dates the start of the
/// run before the time at which the scheduler asked for it.
Seconds clock_behind(const Job& job, Time reported_start);

/// Returns the end of the job's run, which its resource manager reports at `now` with these dates.
/// It is in the future only if the clock of the resource manager is further ahead than its dates
/// have shown so far.
Time end_by_our_clock(const Job& job, const Job& reported, Time now);

}  // namespace maui
