// Settles a run that is over although its job is not: the job was requeued, or put back into the
// queue from its own checkpoint, and waits again.
#pragma once
#include "maui/job.h"
#include "maui/units.h"

namespace maui {

class Allocations;
class Cluster;
class Entitlements;
class FairshareLedger;
class RunTimeLearning;
struct EngineTools;
struct Settings;
struct Statistics;

class GivenBackRuns {
 public:
  GivenBackRuns(const EngineTools& tools, Entitlements& entitlements, Allocations& allocations);

  /// Charges and counts the job's run until `until`, or until it was suspended, and puts the job
  /// back into the queue.  There it is entitled by the settings in force.  Requires that the job is
  /// active or suspended.
  void requeue(JobId job, Time until);
  /// The same for a job that has written a checkpoint: it keeps what it has done.
  void checkpoint(JobId job, Time until);

 private:
  Seconds settle(JobId job, Time until, bool successful);

  const EngineTools& tools_;
  Entitlements& entitlements_;
  Allocations& allocations_;
  Cluster& cluster_;
  const Settings& settings_;
  Statistics& statistics_;
  FairshareLedger& fairshare_;
  RunTimeLearning& learning_;
};

}  // namespace maui
