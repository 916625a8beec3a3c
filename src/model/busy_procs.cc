#include "model/busy_procs.h"

namespace maui {

// A trace gives the use of the recorded run; the simulated run may be shorter (CPU scaling, an
// early end).
double utilised_procs(const Cluster& cluster, const Job& job) {
  if (!job.recorded || job.recorded->proc_seconds <= 0 || job.recorded->run_time.raw() <= 0)
    return job.average_procs().value_or(cluster.request(job.request).total_procs());
  return job.recorded->proc_seconds / static_cast<double>(job.recorded->run_time.raw());
}

double busy_procs(const Cluster& cluster, const Job& job) {
  const bool reported = job.use->procs > 0 || job.use->cpu_seconds;
  return reported && !job.recorded ? job.use->procs : utilised_procs(cluster, job);
}

}  // namespace maui
