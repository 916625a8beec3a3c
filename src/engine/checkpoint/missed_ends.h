// Jobs that ended while no scheduler ran, or between two polls; they are accounted afterwards.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "maui/resource_manager.h"
#include "maui/run_identity.h"
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
  /// Accounts the runs of that name that the statistics files contain, and that the checkpoint does
  /// not count, before a job that is reported takes the name: it waits since its last one, or that
  /// goes on.  Does the same for saved runs of other jobs that nobody reports any more.
  void account_before(JobReport& report);
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
  RunSpan span_of(const PastJob& past) const;
  Time steady(Time dated) const;
  Seconds set_since(const RunOnFile& run) const;
  Seconds set_since_start(const RunOnFile& run) const;
  bool is_same_run(const RunOnFile& recorded, const PastJob& reported) const;
  bool is_of(const RunOnFile& run, const JobReport& report, const std::string& manager) const;
  std::optional<RunOnFile> take_recorded(const PastJob& past);
  std::vector<RunOnFile> take_recorded(const std::string& name, const JobReport* report);
  std::vector<RunOnFile> account_recorded(const JobReport& report);
  void account_recorded(const std::string& name);
  enum class Known : std::uint8_t { reported, by_record };
  void account_recorded(PastJob past, const RunOnFile& run, Known end = Known::reported);
  void account_by_record(const RunOnFile& run);
  void give_up_others(const JobReport& report);
  void take_up_lost(const CheckpointedJob& saved);
  bool may_be_lost(const CheckpointedJob& saved) const;
  void take(PastJob past, const RunOnFile* record = nullptr, Known end = Known::reported);
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
