// Tells runs apart, in records, checkpoints and requests to allocation managers.
//
// Times by the machine's clock cannot be compared across a step of it: a run may have begun later
// than another, and be dated earlier.  So the times of an identity are by the steady clock: the
// machine's, as if nobody had set it since the first checkpoint.  Until somebody sets it, both are
// the same.
#pragma once
#include <string_view>

#include "maui/units.h"

namespace maui {

/// The times of a run by the steady clock, suspensions included as far as they are known.
struct RunSpan {
  Time began{0}, ended{0};

  /// True if both are times of one run, given that they are of one job: it has one run at a time,
  /// although its resource manager may date that run otherwise by now.
  bool same_run(const RunSpan& other) const {
    return began == other.began || (began < other.ended && other.began < ended);
  }
};

/// A run of a job of a resource manager.
struct RunIdentity {
  std::string_view job, manager;  // manager: empty in files of an earlier version
  RunSpan span;

  bool same_as(const RunIdentity& other) const {
    const bool same_manager = manager == other.manager || manager.empty() || other.manager.empty();
    return job == other.job && same_manager && span.same_run(other.span);
  }
};

}  // namespace maui
