// Deferred jobs and when their deferrals end (guide 11.1).
//
// A deferral that somebody ended before its time, or whose job has gone, does not stand any more;
// it is noticed when it is looked at.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "maui/cluster.h"

namespace maui {

class Deferrals {
 public:
  void add(Time until, JobId job);
  /// The clock was set.
  void shift(Seconds by);
  /// Takes out the jobs whose time is over.
  std::vector<JobId> take_over(const Cluster& cluster, Time now);
  /// Takes out the jobs that the cluster lacked something for and lacks no longer.  Looks only
  /// where nodes have changed since it was asked last.
  std::vector<JobId> take_feasible(const Cluster& cluster);
  /// Returns when the next one ends, after `now`; kForever without one.
  Time next(const Cluster& cluster, Time now);

 private:
  using Deferral = std::pair<Time, JobId>;
  static bool stands(const Cluster& cluster, const Deferral& deferral);

  std::vector<Deferral> all_;      // latest first
  std::uint64_t nodes_as_of_ = 0;  // Cluster::node_changes()
};

}  // namespace maui
