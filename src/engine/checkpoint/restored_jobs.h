// Jobs of a restored checkpoint: each finds its place, and its run, when it is reported.
#pragma once
#include <optional>

#include "engine/checkpoint/checkpoint.h"
#include "maui/job.h"
#include "maui/resource_manager.h"

namespace maui {

class Allocations;
class Cluster;
class Entitlements;
class FailedStarts;
class FairshareLedger;
class Holds;
class JobDoubts;
class RunningJobs;
struct EngineTools;
struct PendingRestore;
struct Settings;
struct Statistics;

class RestoredJobs {
 public:
  RestoredJobs(const EngineTools& tools, Holds& holds, Entitlements& entitlements,
               Allocations& allocations, FailedStarts& failed_starts, JobDoubts& doubts,
               RunningJobs& running_jobs);

  /// Takes out what the checkpoint knows of a job that is reported.
  std::optional<CheckpointedJob> take(const JobReport& report);
  /// Restores the part of it that needs the job to be known.
  void restore_in_queue(const CheckpointedJob& saved, JobId job);
  /// It ran when the checkpoint was written: what `report` does not say of that run is what was
  /// known then.  One that is reported as waiting runs on until that is believed (JOBSYNCTIME).
  void restore_run(const CheckpointedJob& saved, JobId job, JobReport& report);

 private:
  void restore_place(const CheckpointedJob& saved, JobId job);
  void restore_unreported_run(const CheckpointedJob& saved, JobId job);
  void end_run(const CheckpointedJob& saved, JobId job);

  const EngineTools& tools_;
  Holds& holds_;
  Entitlements& entitlements_;
  Allocations& allocations_;
  FailedStarts& failed_starts_;
  JobDoubts& doubts_;
  RunningJobs& running_jobs_;
  Cluster& cluster_;
  const Settings& settings_;
  PendingRestore& pending_restore_;
  FairshareLedger& fairshare_;
  Statistics& statistics_;
};

}  // namespace maui
