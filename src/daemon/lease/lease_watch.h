// The judgement of who stands by: whether the one that holds the lease is dead.
#pragma once
#include <chrono>
#include <functional>
#include <optional>

#include "daemon/lease/lease_store.h"

namespace maui {

class LeaseWatch {
 public:
  /// `time`: LEASETIME here; a holder that says more has more.
  explicit LeaseWatch(std::chrono::nanoseconds time) : time_(time) {}

  enum class Verdict {
    unknown,  // nothing has changed, but that is no proof yet
    alive,    // a sign of life since the first look
    over      // it was released, or has not changed for the time of the lease
  };
  /// Judges what was seen `now`, by a clock that nobody sets.  Where there is no record somebody
  /// may have taken it away from a holder: that is waited for, too.
  Verdict look(const std::optional<LeaseSeen>& seen, std::chrono::nanoseconds now);
  /// How long that is until it is over, if nothing changes.
  std::chrono::nanoseconds left(std::chrono::nanoseconds now) const;

 private:
  std::chrono::nanoseconds time_;
  std::chrono::nanoseconds length_{0};  // of the lease that is watched
  bool looked_ = false, alive_ = false;
  std::optional<LeaseSeen> last_;
  std::chrono::nanoseconds since_{0};
};

}  // namespace maui
