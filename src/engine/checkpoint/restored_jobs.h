// Jobs of a restored checkpoint: the state and run of each are restored when it is reported.
#pragma once
#include <cstdint>
#include <optional>

#include "engine/checkpoint/checkpoint.h"
#include "maui/job.h"
#include "maui/resource_manager.h"

namespace maui {

class Cluster;
class Entitlements;
class FailedStarts;
class FairshareLedger;
class GivenBackRuns;
class Holds;
class JobDoubts;
class RunningJobs;
class UnansweredRequests;
struct EngineTools;
struct PendingRestore;
struct Settings;

/// Returns the request with the tasks with which its run began.
Request with_tasks_of(const Request& began, Request request);

class RestoredJobs {
 public:
  RestoredJobs(const EngineTools& tools, Holds& holds, Entitlements& entitlements,
               GivenBackRuns& given_back, FailedStarts& failed_starts, JobDoubts& doubts,
               RunningJobs& running_jobs);

  /// Removes and returns the saved state of a job that is reported.
  std::optional<CheckpointedJob> take(const JobReport& report);
  /// Restores those parts of the saved state that require the job to be in the cluster.
  void restore_in_queue(const CheckpointedJob& saved, JobId job);
  /// Restores the run of a job that ran when the checkpoint was written: adds what was known then
  /// to `report`.  A job reported as waiting runs on until that is believed (JOBSYNCTIME).
  void restore_run(const CheckpointedJob& saved, JobId job, JobReport& report);
  /// Restores how the run shares its nodes, now that the job has its state.  `started`: the start
  /// of its run as it is reported.
  void restore_access(const CheckpointedJob& saved, JobId job, Time started);
  /// Restores requests that the resource manager had not answered, now that the job has its state.
  void restore_requests(const CheckpointedJob& saved, JobId job, Time started);

 private:
  bool is_another_run(const CheckpointedJob& saved, Time started) const;
  bool goes_on(const CheckpointedJob& saved, JobId job, Time started) const;
  void restore_start(const Job& was, Job& is) const;
  void restore_shape(JobId job, std::int64_t reserved_tasks);
  void restore_place(const CheckpointedJob& saved, JobId job);
  bool adopt(const CheckpointedJob& saved, JobId job);
  void restore_unreported_run(const CheckpointedJob& saved, JobId job);
  void end_run(const CheckpointedJob& saved, JobId job);

  const EngineTools& tools_;
  Holds& holds_;
  Entitlements& entitlements_;
  GivenBackRuns& given_back_;
  FailedStarts& failed_starts_;
  JobDoubts& doubts_;
  RunningJobs& running_jobs_;
  Cluster& cluster_;
  const Settings& settings_;
  PendingRestore& pending_restore_;
  FairshareLedger& fairshare_;
  UnansweredRequests& unanswered_;
};

}  // namespace maui
