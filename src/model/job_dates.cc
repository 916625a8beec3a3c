#include "model/job_dates.h"

#include <algorithm>

namespace maui {
namespace {

/// Returns by how much the clock of the job's resource manager is ahead; negative: behind.
Seconds clock_ahead(const Job& job, Time dated_start) {
  // It began before that account.
  const bool goes_on = job.started + job.clock_set == job.accounted_until;
  const bool set_back = job.clock_set < Seconds(0);
  const bool known = job.clock_ahead > Seconds(0);
  if (job.started >= kForever || goes_on || set_back || known) return job.clock_ahead;
  return std::min(dated_start - job.started, Seconds(0));
}

}  // namespace

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

Time by_our_clock(const Job& job, Time dated_start, Time dated) {
  return dated - clock_ahead(job, dated_start);
}

Time end_by_our_clock(const Job& job, Time dated_start, Time dated_end, Time now) {
  if (dated_end == kForever) return now;
  const Time ended = by_our_clock(job, dated_start, dated_end);
  // Its clock is further ahead, or ours was set back and the end is dated as it stood before.
  return ended <= now + kRoundedUp ? ended : ended + std::min(job.clock_step(), Seconds(0));
}

}  // namespace maui
