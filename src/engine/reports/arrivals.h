// Jobs that arrive.
#pragma once
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "maui/job.h"
#include "maui/resource_manager.h"

namespace maui {

class Cluster;
class Dependencies;
class Holds;
class JobChanges;
class JobDoubts;
class JobEnds;
class PartitionMasks;
class RestoredJobs;
class RunTimeLearning;
class RunningJobs;
class StartDates;
struct EngineTools;
struct PendingRestore;
struct Plan;
struct ReportedRun;
struct Settings;

class Arrivals {
 public:
  Arrivals(const EngineTools& tools, Holds& holds, JobEnds& job_ends, JobDoubts& doubts,
           RunningJobs& running_jobs, RestoredJobs& restored_jobs, JobChanges& changes);

  /// Adds the jobs that arrive with an answer, each after a call of `before` with its report, then
  /// calls `next`; the answer must stay until then.
  void apply(Update& update, std::function<void(JobReport&)> before, std::function<void()> next);
  /// Adds a reported job.
  void submit(JobReport& report);
  /// Judges the dependencies of new and revised jobs whose resource managers have listed all of
  /// their jobs since the start, or had JOBSYNCTIME to do so; then calls `next`.
  void judge_dependencies(std::function<void()> next);
  /// Removes NOQUEUE jobs that have arrived since the last call and did not start.
  void refuse_unstarted();
  /// Exempts the job that has just been submitted from having to start in this iteration.
  void excuse(JobId job);

 private:
  void submit(JobReport& report, bool with_classes);
  void note_masks(const JobReport& report);
  void take_state(JobId job, const JobReport& report);

  const EngineTools& tools_;
  Holds& holds_;
  JobEnds& job_ends_;
  JobDoubts& doubts_;
  RunningJobs& running_jobs_;
  RestoredJobs& restored_jobs_;
  JobChanges& changes_;
  Cluster& cluster_;
  const Settings& settings_;
  Plan& plan_;
  PartitionMasks& partition_masks_;
  StartDates& start_dates_;
  const PendingRestore& pending_restore_;
  RunTimeLearning& learning_;
  Dependencies& dependencies_;
  std::vector<std::pair<JobId, std::uint64_t>>& no_queue_;  // and their arrivals
};

}  // namespace maui
