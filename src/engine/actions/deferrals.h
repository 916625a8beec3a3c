// Deferred jobs, and when their deferrals end (guide 11.1).
//
// A deferral is void if a command ended it early or its job is gone; void entries are dropped when
// they are next examined.
#pragma once
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "maui/cluster.h"

namespace maui {

class Deferrals {
 public:
  void add(Time until, JobId job);
  /// Shifts all ends by a step of the clock.
  void shift(Seconds by);
  /// Removes and returns the jobs whose deferral has ended.
  std::vector<JobId> take_over(const Cluster& cluster, Time now);
  /// Removes and returns the jobs for which the cluster lacked something that it has now.  Examines
  /// jobs only if nodes have changed since the last call.
  std::vector<JobId> take_feasible(const Cluster& cluster);
  /// Returns the first job that is deferred for that cause; an invalid id if there is none.
  JobId first_of(const Cluster& cluster, HoldCause cause) const;
  /// Removes and returns the jobs that are deferred for that cause.
  std::vector<JobId> take_those_of(const Cluster& cluster, HoldCause cause);
  /// Returns the first end of a deferral after `now`, or kForever.
  Time next(const Cluster& cluster, Time now);

 private:
  using Deferral = std::pair<const Time, JobId>;
  static bool stands(const Cluster& cluster, const Deferral& deferral);
  /// Removes and returns the jobs for which `wanted` is true.
  template <class Wanted>
  std::vector<JobId> take(const Cluster& cluster, const Wanted& wanted);

  std::multimap<Time, JobId> all_;  // by their ends; of equal ends, the first added comes first
  std::uint64_t nodes_as_of_ = 0;   // Cluster::node_changes() at the last look
};

}  // namespace maui
