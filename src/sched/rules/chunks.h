// BFCHUNKSIZE and BFCHUNKDURATION (appendix F): while a large job has been eligible for less than
// the duration, only large jobs are backfilled past it, so that free processors can add up to its
// size.
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

  /// False: there are no chunk limits, and every job counts as large.
  bool any() const { return size_ > 0; }
  bool large(const Request& request) const { return request.total_procs() >= size_; }
  /// Returns until when no small job is backfilled past this large job.
  Time saves_until(const Job& job) const { return job.eligible_since + duration_; }

 private:
  int size_;
  Seconds duration_;
};

}  // namespace maui
