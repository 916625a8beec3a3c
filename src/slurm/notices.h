// Notices that users of squeue see of a job that waits for maui: words that stand first in its
// admin_comment, before maui's own note.
//
// The gate writes the first; these are changed for jobs that have a planned start, or that maui
// holds.  Each change costs slurmctld something, so they are few.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "maui/resource_manager.h"
#include "slurm/controller.h"

namespace maui::slurm {

/// As Slurm takes the name of all tasks that share a record.
std::string name_of_record(const Job& job);
/// "maui: waits since 2026-11-22T13:40:00, see checkjob"
std::string words_of_wait(const Job& job);
/// "maui: started 2026-11-22T13:41:00"
std::string words_of_start(Time when);

class Notices {
 public:
  /// Takes the notices that the scheduler wants to be seen; `all`: no other job has one.
  void take(const std::vector<JobNotice>& notices, bool all);

  /// The changes to make now, twenty jobs a second at most.  A planned start that moves a little
  /// stays as it is, and so does what has been changed in the last minute.  Nothing before the
  /// scheduler has spoken: it may have just begun.
  std::vector<Change> changes(const Cluster& cluster, Time now);

 private:
  struct Shown {
    Time start{0};
    Time since{0};  // it is shown
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
