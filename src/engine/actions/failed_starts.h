// Failed starts: the job waits again, and repeated failures have consequences (guide 11.1).
#pragma once
#include <string>
#include <vector>

#include "maui/job.h"
#include "maui/resource_manager.h"
#include "maui/units.h"

namespace maui {

class Allocations;
class Cluster;
class Entitlements;
class FairshareLedger;
class Holds;
class Preemptors;
class RefusedStarts;
struct EngineTools;
struct RmRecord;
struct Settings;

class FailedStarts {
 public:
  FailedStarts(const EngineTools& tools, Holds& holds, Entitlements& entitlements,
               Allocations& allocations);

  /// The resource manager refused to start `job`, which has just been started in the cluster.
  /// `reserved`: the job had a reservation, so its start is retried for RESERVATIONRETRYTIME.
  void refused(JobId job, const std::string& why, Obstacle obstacle, bool reserved);
  /// Counts a failed start of `job` on these nodes; the job waits again, perhaps held or deferred.
  void count(JobId job, const std::string& why, Obstacle obstacle, std::vector<NodeId> nodes,
             bool reserved);
  /// Undoes a requested start that came to nothing: the job did not run, and nobody is charged.
  void undo(JobId job);
  /// Puts the job back into the queue as if it had never been started.
  void requeue(JobId job, const HoldReason& reason);
  /// Lets a job that could not start after it had preempted others preempt nobody for a while.
  void spare_victims(JobId job);
  /// Lets the job keep its turn until then: before that time, failed starts do not count.  Time(0):
  /// they count.
  void keep_turn(JobId job, Time until);

 private:
  const EngineTools& tools_;
  Holds& holds_;
  Entitlements& entitlements_;
  Allocations& allocations_;
  Cluster& cluster_;
  const Settings& settings_;
  RmRecord& rm_record_;
  RefusedStarts& refused_starts_;
  Preemptors& preemptors_;
  FairshareLedger& fairshare_;
};

}  // namespace maui
