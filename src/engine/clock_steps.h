// Consequences of setting the machine's clock (CLOCKSTEP): whether time limits are enforced, and
// from what time intervals count.
#pragma once
#include <optional>

#include "maui/clock.h"

namespace maui {

/// A step of the clock; times are by the clock as it stood afterwards.
struct ClockStep {
  Time at{-1};    // the time to which it was set
  Time since{0};  // it was set then at the earliest
  Seconds by{0};
};

class ClockSteps {
 public:
  /// Notes that the clock was set by `by`, at some time from `since` to `now`, both by the clock as
  /// it now stands; `far`: by more than CLOCKSTEP.
  void note(Seconds by, Time since, Time now, bool far) {
    last_ = {now, since, by};
    paused_ = paused_ || far;
  }
  /// Notes the last step before this scheduler began: resource managers that have not answered
  /// since may report times of before.
  void restore(const ClockStep& last) { last_ = last; }
  const ClockStep& last() const { return last_; }
  bool any() const { return last_.at >= Time(0); }
  /// Returns by how much the clock was set last.
  Seconds by() const { return last_.by; }
  /// True if `when`, the time of an event that a manager reports at `now`, is by the clock as it
  /// stood before it was set last.  `heard`: when that manager had last been heard from.
  bool predates(Time when, Time heard, Time now) const {
    if (!any() || heard > last_.at) return false;
    if (last_.by < Seconds(0)) return when > now + kClockAdjusted;
    return when < last_.since && when + last_.by <= now + kClockAdjusted;
  }
  /// True if what began then, by the clock as it now stands, began before the clock was set last.
  bool followed(Time began) const { return any() && began <= last_.at; }
  /// Returns by how much the clock was set back since `when`, the start of a run that a manager
  /// reports at `now`; 0 if that is not known.  `heard`: as above.
  Seconds set_back_since(Time when, Time heard, Time now) const {
    return when < kForever && when > now && predates(when, heard, now) ? Seconds(0) - last_.by
                                                                       : Seconds(0);
  }
  /// Returns `when`, which is dated as above, by the clock as it now stands, if the clock can have
  /// shown that time just before it was last set back.
  std::optional<Time> just_before(Time when, Time heard, Time now) const {
    if (last_.by >= Seconds(0) || !predates(when, heard, now)) return std::nullopt;
    const Time by_now = when + last_.by;
    return by_now <= last_.at + kClockAdjusted ? std::optional(by_now) : std::nullopt;
  }
  /// True while time limits are not enforced: the clock has not been confirmed since its step.
  bool paused() const { return paused_; }
  void confirm() { paused_ = false; }
  /// Returns the time from which an interval that began at `since` counts: the last step or later.
  Time counted_from(Time since, Time now) const {
    return !any() || (since >= last_.at && since <= now) ? since : last_.at;
  }

 private:
  bool paused_ = false;
  ClockStep last_;
};

}  // namespace maui
