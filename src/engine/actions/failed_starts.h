// Starts that failed: the job waits again, and what that costs it (guide 11.1).
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
class RefusedStarts;
struct EngineTools;
struct RmRecord;
struct Settings;

class FailedStarts {
 public:
  FailedStarts(const EngineTools& tools, Holds& holds, Entitlements& entitlements,
               Allocations& allocations);

  /// `job` has just been started in the cluster; the resource manager refused.  `reserved`: it had
  /// a reservation, so that it is tried again for RESERVATIONRETRYTIME.
  void refused(JobId job, const std::string& why, Obstacle obstacle, bool reserved);
  /// `job` waits again after it could not be started on these nodes: what that costs it.
  void count(JobId job, const std::string& why, Obstacle obstacle, std::vector<NodeId> nodes,
             bool reserved);
  /// A start that was asked for came to nothing: it did not run, and nobody pays for it.
  void undo(JobId job);
  /// It goes back into the queue as if it had never been started.
  void requeue(JobId job, const HoldReason& reason);
  /// Until then the job is tried again before failures count; 0: they count.
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
  FairshareLedger& fairshare_;
};

}  // namespace maui
