// Notices about waiting jobs that users see with squeue: a text at the beginning of the job's
// admin_comment, before maui's own note.
//
// The gate writes the first notice; maui changes it for jobs with a planned start and for jobs that
// it holds.  Each change costs slurmctld time, so only few are made.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "maui/resource_manager.h"
#include "slurm/controller.h"

namespace maui::slurm {

/// Returns Slurm's name for all tasks that share a record.
std::string name_of_record(const Job& job);
/// "maui: waits since 2026-11-22T13:40:00, see checkjob"
std::string words_of_wait(const Job& job);
/// "maui: started 2026-11-22T13:41:00"
std::string words_of_start(Time when);

class Notices {
 public:
  /// Takes the notices that the scheduler wants users to see; `all`: no other job has a notice.
  void take(const std::vector<JobNotice>& notices, bool all);

  /// Returns the changes to make now, at most twenty jobs a second.  A planned start that moved
  /// only a little stays unchanged, as does a notice changed in the last minute.  Returns nothing
  /// until the scheduler has sent all its notices once, because it may just have started.
  std::vector<Change> changes(const Cluster& cluster, Time now);

 private:
  struct Shown {
    Time start{0};
    Time since{0};  // when this notice appeared
  };
  using ByName = std::map<std::string, JobNotice>;

  ByName by_record(const Cluster& cluster) const;
  bool is_due(const std::string& record, const JobNotice* wanted, Time now) const;

  bool all_given_ = false;
  ByName wanted_;
  std::map<std::string, Shown> shown_;
  Time last_{0};
};

}  // namespace maui::slurm
