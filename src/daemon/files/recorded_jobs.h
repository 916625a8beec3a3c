// The runs that the statistics files already contain: a scheduler that was killed may have recorded
// a job's end after its last checkpoint, and the next scheduler must not record that end again.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/checkpoint/checkpoint.h"
#include "maui/units.h"

namespace maui {

class RecordedJobs {
 public:
  /// How long before the checkpoint, or before now if the clock was set back, jobs may have ended
  /// whose ends are still reported.
  static constexpr Seconds kLate{24 * 3600};

  /// Reads the records in these files and adds to the checkpoint those that it does not count, and
  /// those that it counts, of jobs that ended at `since` or later.  The jobs of the former that it
  /// does not know to run are added as well: their runs count even if nobody reports them any more.
  /// `clock_set`: by how much the clock was set since it was written.
  void read(const std::vector<std::string>& files, Time since, Seconds clock_set,
            Checkpoint& checkpoint);
  /// True if the run of this record is in those files, and the checkpoint does not count it; to be
  /// called once per run.
  bool take(std::string_view record);
  /// The clock was set since they were read: these runs have other times by now.
  void clock_stepped(Seconds by) {
    for (auto& [name, run] : runs_) run.clock_set = run.clock_set + by;
  }

 private:
  std::unordered_multimap<std::string, RunOnFile> runs_;  // by name: those that are not counted
};

}  // namespace maui
