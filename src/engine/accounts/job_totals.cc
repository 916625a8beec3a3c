#include "engine/accounts/job_totals.h"

#include <algorithm>

#include "maui/units.h"

namespace maui {

JobTotals& JobTotals::operator+=(const JobTotals& other) {
  jobs += other.jobs;
  successful += other.successful;
  backfilled += other.backfilled;
  on_target += other.on_target;
  queue_hours += other.queue_hours;
  max_queue_hours = std::max(max_queue_hours, other.max_queue_hours);
  xfactor += other.xfactor;
  max_xfactor = std::max(max_xfactor, other.max_xfactor);
  xfactor_proc_seconds += other.xfactor_proc_seconds;
  xfactor_procs += other.xfactor_procs;
  procs += other.procs;
  bypass += other.bypass;
  max_bypass = std::max(max_bypass, other.max_bypass);
  requested_proc_seconds += other.requested_proc_seconds;
  run_proc_seconds += other.run_proc_seconds;
  completed_proc_seconds += other.completed_proc_seconds;
  backfilled_proc_seconds += other.backfilled_proc_seconds;
  dedicated_proc_seconds += other.dedicated_proc_seconds;
  utilised_proc_seconds += other.utilised_proc_seconds;
  run_seconds += other.run_seconds;
  limit_seconds += other.limit_seconds;
  accuracy += other.accuracy;
  return *this;
}

JobTotals totals_of(const JobRun& run) {
  JobTotals t;
  t.jobs = 1;
  t.successful = run.successful ? 1 : 0;
  t.backfilled = run.backfilled ? 1 : 0;
  t.on_target = run.on_target ? 1 : 0;
  t.queue_hours = t.max_queue_hours = run.queue / kHourSeconds;
  t.xfactor = t.max_xfactor = run.xfactor();
  t.xfactor_proc_seconds = t.xfactor * run.dedicated;
  t.xfactor_procs = t.xfactor * run.procs;
  t.procs = run.procs;
  t.bypass = t.max_bypass = run.bypass;
  t.requested_proc_seconds = run.limit * run.procs;
  t.run_proc_seconds = run.run * run.procs;
  t.completed_proc_seconds = t.dedicated_proc_seconds = run.dedicated;
  t.backfilled_proc_seconds = run.backfilled ? run.dedicated : 0;
  t.utilised_proc_seconds = run.utilised;
  t.run_seconds = run.run;
  t.limit_seconds = run.limit;
  t.accuracy = run.run / run.limit;
  return t;
}

}  // namespace maui
