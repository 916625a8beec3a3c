// How often jobs have been bypassed by backfill since Job::bypass was last written.
//
// The count changes for most of the queue in every iteration; it is written when somebody looks.
#pragma once
#include <cstdint>
#include <vector>

#include "maui/cluster.h"
#include "maui/plan.h"

namespace maui {

class Bypasses {
 public:
  /// Counts those of a plan that was carried out: each job that backfill started bypassed every job
  /// that stood before it and still waits.
  void gather(const Plan& plan, std::size_t job_slots);
  /// Writes what was counted for the job.
  void settle(Cluster& cluster, JobId job);
  /// The same for all that wait.
  void settle_all(Cluster& cluster);

 private:
  std::vector<std::int32_t> counts_;  // by job
  bool gathered_ = false;             // some since settle_all()
};

}  // namespace maui
