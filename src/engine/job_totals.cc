#include "engine/job_totals.h"

#include <algorithm>

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

}  // namespace maui
