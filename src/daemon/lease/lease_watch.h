// How a standby decides whether the holder of the lease is dead.
#pragma once
#include <chrono>
#include <functional>
#include <optional>

#include "daemon/lease/lease_store.h"

namespace maui {

class LeaseWatch {
 public:
  /// `time`: LEASETIME here; a longer time in the holder's record takes precedence.
  explicit LeaseWatch(std::chrono::nanoseconds time) : time_(time) {}

  enum class Verdict {
    unknown,  // no change so far, but that proves nothing yet
    alive,    // a change since the first look
    over      // released, or unchanged for the time of the lease
  };
  /// Judges the record `seen` at the time `now` of a clock that nobody sets.  A missing record may
  /// have been removed while a holder lives, so that is waited for, too.
  Verdict look(const std::optional<LeaseSeen>& seen, std::chrono::nanoseconds now);
  /// Returns how long until the verdict is `over` if nothing changes.
  std::chrono::nanoseconds left(std::chrono::nanoseconds now) const;

 private:
  std::chrono::nanoseconds time_;
  std::chrono::nanoseconds length_{0};  // the time of the watched lease
  bool looked_ = false, alive_ = false;
  std::optional<LeaseSeen> last_;
  std::chrono::nanoseconds since_{0};
};

}  // namespace maui
