// Holds on jobs (guide 11.1), and who is notified of them (guide 14.4).
#pragma once
#include "maui/job.h"

namespace maui {

class Cluster;
class Deferrals;
struct EngineTools;
struct Settings;

class Holds {
 public:
  explicit Holds(const EngineTools& tools);

  void place(JobId job, Hold hold, const HoldReason& reason);
  /// Logs that the job has been held, and why, and notifies whoever wants to know.
  void notify(JobId job, Hold hold) const;
  /// The job cannot run: it is held for DEFERTIME, or for good once that has happened DEFERCOUNT
  /// times (guide 11.1).
  void defer(JobId job, const HoldReason& reason);
  /// A deferral that another scheduler had begun ends then.
  void restore_deferral(JobId job, Time until);
  /// Those whose time is over, and those that the cluster lacked something for and lacks no longer.
  void release_deferred();
  /// Returns when the next deferral ends; kForever without one.
  Time next_release();

 private:
  void end_deferral(JobId job);

  const EngineTools& tools_;
  Cluster& cluster_;
  const Settings& settings_;
  Deferrals& deferrals_;
  Time& last_activity_;
};

}  // namespace maui
