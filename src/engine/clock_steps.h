// Consequences of setting the machine's clock (CLOCKSTEP): whether time limits are enforced, and
// from what time intervals count.
#pragma once
#include "maui/units.h"

namespace maui {

class ClockSteps {
 public:
  /// Notes that the clock was set to `now`; `far`: by more than CLOCKSTEP.
  void note(Time now, bool far) {
    last_ = now;
    paused_ = paused_ || far;
  }
  bool any() const { return last_ >= Time(0); }
  /// True while time limits are not enforced: the clock has not been confirmed since its step.
  bool paused() const { return paused_; }
  void confirm() { paused_ = false; }
  /// Returns the time from which an interval that began at `since` counts: the last step or later.
  Time counted_from(Time since, Time now) const {
    return !any() || (since >= last_ && since <= now) ? since : last_;
  }

 private:
  bool paused_ = false;
  Time last_{-1};  // the time to which the clock was set last
};

}  // namespace maui
