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

/// A date that is ahead of our clock by no more than this is rounded, and its clock is right:
/// clocks are read more or less finely, and dates are whole seconds.
inline constexpr Seconds kRoundedUp{1};

/// Returns a date of the job's run by our clock: that of its resource manager may be behind (it
/// dates the start before the scheduler asked for it) or ahead (Job::clock_ahead).
Time by_our_clock(const Job& job, Time dated_start, Time dated);
/// Returns the end of the job's run, which its resource manager reports at `now` with these dates,
/// by our clock: the run is as long as reported, even if the other clock is behind (it dates the
/// start before the scheduler asked for it) or ahead (Job::clock_ahead).  The end is in the future
/// by more than kRoundedUp only if that clock is further ahead than its dates have shown so far.
Time end_by_our_clock(const Job& job, Time dated_start, Time dated_end, Time now);

}  // namespace maui
