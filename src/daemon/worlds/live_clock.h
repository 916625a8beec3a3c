// The clock of live operation: the machine's, watched by one that nobody can set.
#pragma once
#include <algorithm>
#include <chrono>
#include <functional>
#include <tuple>
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
  using Passed = std::chrono::nanoseconds;  // since an arbitrary time
  /// `passed`: reads CLOCK_BOOTTIME; tests replace it.
  explicit LiveClock(std::function<Time()> machine, std::function<Passed()> passed = boot_time)
      : machine_(std::move(machine)), passed_(std::move(passed)) {
    std::tie(since_.machine, since_.passed) = read_together(machine_, passed_);
    ticked_at_ = since_.passed;
    now_ = ticked_ = since_.machine;
  }
  /// A moment by both clocks.
  struct Moment {
    Time machine{0};
    Passed passed{};
  };
  /// Returns the last step, or when this began; steps are measured from there.
  const Moment& since() const { return since_; }
  /// Measures steps from an earlier moment.
  void measure_since(const Moment& earlier) { since_ = earlier; }
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
  /// Returns how much more or less time than has passed since the last step, until `at`, the
  /// machine's clock shows; 0 unless it was set.
  Seconds set_by(Time machine, Passed at) const;

  std::function<Time()> machine_;
  std::function<Passed()> passed_;
  Moment since_;
  Passed ticked_at_{};
  Time now_{0};
  Time ticked_{0};  // now() at the last tick
  Seconds step_{0};
  int steps_ = 0;
};

}  // namespace maui
