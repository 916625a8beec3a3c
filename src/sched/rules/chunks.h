// BFCHUNKSIZE and BFCHUNKDURATION (appendix F): behind a large job that waits, and has not been
// eligible for the whole duration yet, only large jobs are backfilled, so that what comes free may
// add up to its size.
#pragma once
#include "maui/job.h"
#include "maui/request.h"
#include "maui/settings/throttling.h"

namespace maui {

class ChunkRule {
 public:
  explicit ChunkRule(const ThrottlingSettings& settings)
      : size_(settings.chunk_duration > Seconds(0) ? settings.chunk_size : 0),
        duration_(settings.chunk_duration) {}

  /// Else every job counts as large.
  bool any() const { return size_ > 0; }
  bool large(const Request& request) const { return request.total_procs() >= size_; }
  /// Until when nothing small is backfilled past this large job, should it wait so long.
  Time saves_until(const Job& job) const { return job.eligible_since + duration_; }

 private:
  int size_;
  Seconds duration_;
};

}  // namespace maui
