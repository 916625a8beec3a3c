// The runs that the statistics files already contain: a scheduler that was killed may have recorded
// a job's end after its last checkpoint, and the next scheduler must not record that end again.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/checkpoint/checkpoint.h"
#include "maui/units.h"

namespace maui {

class RecordedJobs {
 public:
  /// Reads the records of jobs that ended after `since` or within a day before it, since ends may
  /// be reported late.  `file_of` returns the file for jobs that end at a given time.
  void read(const std::function<std::string(Time)>& file_of, Time since, Time now);
  /// Forgets what the checkpoint counts: it is not recorded again, and the same job may run again.
  void forget_counted(const std::vector<Checkpoint::Ended>& counted);
  /// Notes that the clock was set since then: the times of runs cannot be compared, so a run is
  /// known by its job and the time of its submission.
  void clock_was_set() { comparable_ = false; }
  /// Returns the runs that were read.
  std::vector<RunOnFile> runs() const;
  /// True if the record's run is in those files; to be called once per run.
  bool take(std::string_view record);

 private:
  void read_file(const std::string& path, Time since);
  std::unordered_multimap<std::string, RunOnFile> runs_;  // by name
  bool comparable_ = true;                                // the times of runs
  Time certain_{
      0};  // what ended before then was recorded before the checkpoint, or is reported late
};

}  // namespace maui
