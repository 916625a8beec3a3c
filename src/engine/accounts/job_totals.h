// Sums and maxima over jobs: of all jobs, of a credential, or of a cell of showgrid.  Stores only
// sums; averages are computed when they are displayed.
#pragma once
#include <cstdint>

namespace maui {

struct JobTotals {
  std::int64_t jobs = 0;        // completed
  std::int64_t successful = 0;  // completed, not removed
  std::int64_t backfilled = 0;  // started by backfill
  std::int64_t on_target = 0;   // missed no target of their QOS
  double queue_hours = 0, max_queue_hours = 0;
  double xfactor = 0, max_xfactor = 0;  // (queue time + run time) / wallclock limit
  // For averages weighted by processor seconds and by processors; `procs` is the latter's weight.
  double xfactor_proc_seconds = 0, xfactor_procs = 0, procs = 0;
  double bypass = 0;
  std::int32_t max_bypass = 0;
  double requested_proc_seconds = 0;   // limit * procs
  double run_proc_seconds = 0;         // run time * procs, including before statistics began
  double completed_proc_seconds = 0;   // dedicated to completed jobs
  double backfilled_proc_seconds = 0;  // part of the former: jobs started by backfill
  double dedicated_proc_seconds = 0;   // of all runs: completed, lost and active
  double utilised_proc_seconds = 0;
  double run_seconds = 0, limit_seconds = 0;
  double accuracy = 0;  // sum of run time / limit, job by job

  JobTotals& operator+=(const JobTotals& other);
};

/// A run of a job, as statistics count it.
struct JobRun {
  double queue = 0, run = 0, limit = 1;  // seconds
  double procs = 0;
  double dedicated = 0, utilised = 0;  // processor seconds since statistics began
  bool successful = true, backfilled = false, on_target = true;
  std::int32_t bypass = 0;

  double xfactor() const { return (queue + run) / limit; }
};

/// Returns the totals of a single completed job.
JobTotals totals_of(const JobRun& run);

}  // namespace maui
