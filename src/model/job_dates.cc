#include "model/job_dates.h"

#include <algorithm>

namespace maui {

JobDates dates_of(const Job& job) {
  const bool ran = job.started < kForever;
  const Seconds step = ran ? std::min(job.clock_set, Seconds(0)) : Seconds(0);
  const Time waited_until = ran ? job.started : job.ended;
  // If the clock was set back while the job waited, only its queue time is by the new clock.
  const Time submitted = job.submitted <= waited_until ? job.submitted : job.queued;
  JobDates dates;
  dates.submitted = std::min(submitted, waited_until) + step;
  dates.eligible_since = std::min(job.eligible_since, waited_until) + step;
  if (ran) dates.started = job.started + step;
  return dates;
}

Seconds clock_behind(const Job& job, Time reported_start) {
  const bool goes_on = job.started == job.accounted_until;  // it began before that account
  const bool set_back = job.clock_set < Seconds(0);
  if (job.started >= kForever || goes_on || set_back) return Seconds(0);
  return std::max(job.started - reported_start, Seconds(0));
}

Time end_by_our_clock(const Job& job, const Job& reported, Time now) {
  if (reported.ended == kForever) return now;
  const Time ended = reported.ended + clock_behind(job, reported.started);
  // Its clock is ahead, or ours was set back and the end is dated as it stood before.
  return ended <= now ? ended : ended + std::min(job.clock_set, Seconds(0));
}

}  // namespace maui
