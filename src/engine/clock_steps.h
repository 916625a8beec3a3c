// Consequences of setting the machine's clock (CLOCKSTEP): whether time limits are enforced, and
// from what time intervals count.
#pragma once
#include "maui/clock.h"

namespace maui {

class ClockSteps {
 public:
  /// Notes that the clock was set by `by`, at some time from `since` to `now`, both by the clock as
  /// it now stands; `far`: by more than CLOCKSTEP.
  void note(Seconds by, Time since, Time now, bool far) {
    by_ = by;
    since_ = since;
    last_ = now;
    paused_ = paused_ || far;
  }
  bool any() const { return last_ >= Time(0); }
  /// Returns by how much the clock was set last.
  Seconds by() const { return by_; }
  /// True if `when`, the time of an event that a manager reports at `now`, is by the clock as it
  /// stood before it was set last.  `heard`: when that manager had last been heard from.
  bool predates(Time when, Time heard, Time now) const {
    if (!any() || heard > last_) return false;
    if (by_ < Seconds(0)) return when > now + kClockAdjusted;
    return when < since_ && when + by_ <= now + kClockAdjusted;
  }
  /// True if what began then, by the clock as it now stands, began before the clock was set last.
  bool followed(Time began) const { return any() && began <= last_; }
  /// Returns by how much the clock was set back since `when`, the start of a run that a manager
  /// reports at `now`; 0 if that is not known.  `heard`: as above.
  Seconds set_back_since(Time when, Time heard, Time now) const {
    return when < kForever && when > now && predates(when, heard, now) ? Seconds(0) - by_
                                                                       : Seconds(0);
  }
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
  Time since_{0};  // it was set then at the earliest
  Seconds by_{0};
};

}  // namespace maui
