// A job that the scheduler may have suspended: no answer tells, and the next report of the job
// will.
#pragma once
#include <cstdint>

#include "maui/job.h"
#include "maui/units.h"

namespace maui {

struct PerhapsSuspended {
  JobId job;
  std::uint64_t arrival = 0;  // of the job
  SuspensionReason reason;    // if it is suspended

  bool about(JobId other, std::uint64_t its_arrival) const {
    return job == other && arrival == its_arrival;
  }
};

}  // namespace maui
