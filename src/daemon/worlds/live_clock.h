// The clock of live operation: the machine's, watched by one that nobody can set.
#pragma once
#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

#include "base/boot_time.h"
#include "maui/clock.h"

namespace maui {

/// The machine's clock, read at each tick only, so that all of an iteration has the same time: that
/// of the answers of resource managers, once they have come.
///
/// A clock that nobody can set measures passing time.  A small difference means that the machine's
/// clock has been adjusted, and now() waits for it; a large one that it was set: a step.  Several
/// adjustments are a step when they have added up to a large difference.
class LiveClock : public Clock {
 public:
  using Passed = std::chrono::nanoseconds;   // since an arbitrary time
  using Machine = std::chrono::nanoseconds;  // since 1970
  /// `passed`: reads CLOCK_BOOTTIME; tests replace it.
  explicit LiveClock(std::function<Machine()> machine, std::function<Passed()> passed = boot_time)
      : machine_(std::move(machine)), passed_(std::move(passed)) {
    const auto [machine_now, at] = read_together(machine_, passed_);
    ahead_ = machine_now - at;
    ticked_at_ = at;
    now_ = ticked_ = time_of(machine_now);
  }
  /// Returns how far the machine's clock is ahead of the passing time, all noted steps included:
  /// the next one is measured from there.
  Passed ahead() const { return ahead_; }
  /// Measures steps as an earlier clock would have.
  void measure_from(Passed ahead) { ahead_ = ahead; }
  Time now() const override { return now_; }
  void tick();
  /// Moves now() to `answered`, if that is later, but not beyond reading(): not a tick.
  void catch_up(Time answered) override { now_ = std::max(now_, std::min(answered, reading())); }
  /// Returns the time that it is by this clock, without a tick: the next tick tells of a step.
  Time reading() const;
  /// True if the machine's clock has been set since the last tick.
  bool was_set() const;
  /// Returns how often a tick has found that the machine's clock was set.
  int steps() const { return steps_; }
  /// Returns how far the machine's clock was set since the last call.
  Seconds take_step() { return std::exchange(step_, Seconds(0)); }

 private:
  static Time time_of(Machine machine) { return Time(whole_seconds(machine).raw()); }
  /// Returns how far the machine's clock has been set since the last step; 0: it was not.
  Seconds set_by(Machine machine, Passed at) const;

  std::function<Machine()> machine_;
  std::function<Passed()> passed_;
  Passed ahead_{};
  Passed ticked_at_{};
  Time now_{0};
  Time ticked_{0};  // now() at the last tick
  Seconds step_{0};
  int steps_ = 0;
};

}  // namespace maui
