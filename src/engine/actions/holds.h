// Holds on jobs (guide 11.1), and notifications of them (guide 14.4).
#pragma once
#include "maui/job.h"

namespace maui {

class Cluster;
class Deferrals;
struct EngineTools;
struct Settings;

/// True if the report of a job is why it is held; each report decides that anew.
inline bool by_report(const HoldReason& reason) {
  return reason.cause == HoldCause::unusable_report || reason.cause == HoldCause::refused;
}

class Holds {
 public:
  explicit Holds(const EngineTools& tools);

  void place(JobId job, Hold hold, const HoldReason& reason);
  /// Logs that the job is held, and why, and notifies those who are configured to be notified.
  void notify(JobId job, Hold hold) const;
  /// Defers a job that cannot run: for DEFERTIME, or, after DEFERCOUNT deferrals, with a batch hold
  /// (guide 11.1).
  void defer(JobId job, const HoldReason& reason);
  /// Defers a job that has lost its run.  With DEFERTIME 0 it may run again at once, but still gets
  /// the batch hold after DEFERCOUNT such failures.
  void note_failure(JobId job, const HoldReason& reason);
  /// Restores a deferral that a previous scheduler began, with its end at `until`.
  void restore_deferral(JobId job, Time until);
  /// Ends deferrals that are due, and those whose job lacks nothing in the cluster any more.
  void release_deferred();
  /// Returns the first job that is deferred because the allocation manager failed; an invalid id if
  /// there is none.
  JobId deferred_for_bank() const;
  /// Ends the deferrals of all these jobs.  They do not count toward DEFERCOUNT.
  void release_deferred_for_bank();
  /// Returns when the next deferral ends, or kForever.
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
