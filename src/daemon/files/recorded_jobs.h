// The runs that the statistics files already contain: a scheduler that was killed may have recorded
// a job's end after its last checkpoint, and the next scheduler must account that end, but not
// record it again.
#pragma once
#include <string>
#include <vector>

#include "engine/checkpoint/checkpoint.h"
#include "maui/units.h"

namespace maui {

/// How long before the checkpoint, or before now if the clock was set back, jobs may have ended
/// whose ends are still reported.
inline constexpr Seconds kLateRecords{24 * 3600};

/// Reads the records in these files and adds to the checkpoint those that it does not count, each
/// with its job, and those that it counts, of jobs that ended at `since` or later.
void read_recorded(const std::vector<std::string>& files, Time since, Checkpoint& checkpoint);

}  // namespace maui
