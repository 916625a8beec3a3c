// The waiting jobs whose queue time stands still until the next plan (JOBPRIOACCRUALPOLICY).
#pragma once
#include <vector>

#include "maui/cluster.h"
#include "maui/plan.h"

namespace maui {

class StalledJobs {
 public:
  StalledJobs(const Cluster& cluster, const Plan& plan) {
    if (plan.stalled.empty()) return;
    marked_.resize(cluster.job_slots(), 0);
    for (const JobId job : plan.stalled) marked_[job.index()] = 1;
  }
  bool contains(JobId job) const { return !marked_.empty() && marked_[job.index()] != 0; }

 private:
  std::vector<char> marked_;  // by job; empty: no stalled jobs
};

}  // namespace maui
