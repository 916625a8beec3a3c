// Consequences of setting the machine's clock (CLOCKSTEP): whether time limits are enforced, and
// from what time intervals count.
#pragma once
#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

#include "maui/clock.h"
#include "maui/job.h"

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
    if (any()) earlier_.push_back(last_);
    if (earlier_.size() > kMostEarlier) earlier_.pop_front();
    for (ClockStep& step : earlier_) {
      step.at = step.at + by;
      step.since = step.since + by;
    }
    last_ = {now, since, by};
    sum_ = sum_ + by;
    paused_ = paused_ || far;
  }
  /// Notes the last step before this scheduler began, and some before it: resource managers that
  /// have not answered since may report times of before.  `sum`: of all steps so far.
  void restore(const ClockStep& last, std::deque<ClockStep> earlier, Seconds sum) {
    last_ = last;
    sum_ = sum;
    earlier_ = std::move(earlier);
    while (earlier_.size() > kMostEarlier) earlier_.pop_front();
  }
  const ClockStep& last() const { return last_; }
  /// Returns some of the steps before the last one, the oldest first; their times are by the clock
  /// as it now stands.
  const std::deque<ClockStep>& earlier() const { return earlier_; }
  /// Returns the sum of all steps since the first checkpoint.
  Seconds sum() const { return sum_; }
  /// Returns a time of the clock as it now stands by the steady clock (RunSpan).
  Time steady(Time when) const { return when - sum_; }
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
  /// Returns the time, by the clock as it now stands, of an event from `first` to `last` that is
  /// dated by the clock as it stood then; nullopt: no such event can have that date.
  std::optional<Time> when_dated(Time dated, Time first, Time last) const {
    const auto fits = [&](Time from) {
      return dated + kClockAdjusted >= std::max(first, from) && dated <= last + kClockAdjusted;
    };
    // It either followed the last step, or is dated by the clock as it stood before that.
    const auto followed = [&](const ClockStep& step) {
      if (fits(step.since)) return true;
      dated = dated + step.by;
      last = std::min(last, step.at);
      return false;
    };
    if (any() && followed(last_)) return dated;
    const bool found = std::any_of(earlier_.rbegin(), earlier_.rend(), followed);
    return found || fits(first) ? std::optional(dated) : std::nullopt;
  }
  /// Returns the latest time, by the clock as it now stands, of an event until `now` that is dated
  /// by the clock as it stood then.
  Time as_it_stands(Time dated, Time now) const {
    return dated < kForever ? when_dated(dated, Time(0), now).value_or(dated) : dated;
  }
  /// True while time limits are not enforced: the clock has not been confirmed since its step.
  bool paused() const { return paused_; }
  void confirm() { paused_ = false; }
  /// Returns the time from which an interval that began at `since` counts: the last step or later.
  Time counted_from(Time since, Time now) const {
    return !any() || (since >= last_.at && since <= now) ? since : last_.at;
  }

 private:
  static constexpr std::size_t kMostEarlier = 16;

  bool paused_ = false;
  ClockStep last_;
  Seconds sum_{0};
  std::deque<ClockStep> earlier_;
};

/// Returns the start of a run by the steady clock.
inline Time steady_start(const ClockSteps& steps, const Job& job) {
  return job.started < kForever ? steps.steady(job.started + job.clock_set) : kForever;
}

}  // namespace maui
