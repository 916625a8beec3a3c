// Consequences of setting the machine's clock (CLOCKSTEP): whether limits of time are enforced, and
// from when on intervals count.
#pragma once
#include "maui/units.h"

namespace maui {

class ClockSteps {
 public:
  /// The clock was set, and shows `now` since; `far`: by more than CLOCKSTEP.
  void note(Time now, bool far) {
    last_ = now;
    paused_ = paused_ || far;
  }
  bool any() const { return last_ >= Time(0); }
  /// True while limits of time are not enforced: the time has not been confirmed since.
  bool paused() const { return paused_; }
  void confirm() { paused_ = false; }
  /// Returns the time from which something counts that began at `since`: not before the last step.
  Time counted_from(Time since, Time now) const {
    return !any() || (since >= last_ && since <= now) ? since : last_;
  }

 private:
  bool paused_ = false;
  Time last_{-1};  // what the clock was set to
};

}  // namespace maui
