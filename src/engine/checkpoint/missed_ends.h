// Jobs that ended while no scheduler ran, or between two polls; they are accounted afterwards.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "maui/resource_manager.h"
#include "maui/units.h"

namespace maui {

class Arrivals;
class Cluster;
class JobDoubts;
class JobEnds;
class ManagerContact;
class RunTimeLearning;
class RunningJobs;
struct EngineTools;
struct CheckpointedJob;
struct PendingRestore;
struct RunOnFile;
struct Settings;

class MissedEnds {
 public:
  MissedEnds(const EngineTools& tools, JobEnds& job_ends, JobDoubts& doubts,
             RunningJobs& running_jobs, Arrivals& arrivals);

  /// Accounts a job that is reported to have ended and that the scheduler does not know.  A run
  /// that the statistics files contain counts as it is recorded there.
  void account(const PastJob& past);
  /// Accounts the runs of a reported job that the statistics files contain, and that the checkpoint
  /// does not count: the job waits since then, or its run goes on.
  void account_recorded(JobReport& report);
  /// Restores the jobs that ran when the checkpoint was written and that their resource managers do
  /// not report: they keep their nodes until complete lists have omitted them for JOBPURGETIME.
  /// Those whose resource managers do not answer count for limits meanwhile.
  void restore_lost_runs();
  /// Once the resource managers have listed all jobs, drops the state of waiting jobs that they
  /// omit, beyond the 10,000 seen last.
  void forget_unreported();

 private:
  const CheckpointedJob* saved_of(const PastJob& past) const;
  bool was_accounted(const PastJob& past) const;
  std::vector<RunOnFile> take_recorded(const JobReport& report);
  void account_recorded(PastJob past, const RunOnFile& run);
  void take(PastJob past, std::optional<Seconds> run_time = std::nullopt);
  Time end_of(const PastJob& past) const;

  const EngineTools& tools_;
  JobEnds& job_ends_;
  JobDoubts& doubts_;
  RunningJobs& running_jobs_;
  Arrivals& arrivals_;
  Cluster& cluster_;
  const Settings& settings_;
  PendingRestore& pending_restore_;
  const ManagerContact& managers_;
  RunTimeLearning& learning_;
};

}  // namespace maui
