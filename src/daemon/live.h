// Live operation (guide 3.3): an iteration every RMPOLLINTERVAL, and earlier when a job or a node
// changes, a reservation begins or ends, or a client has changed something.  An early iteration
// begins JOBAGGREGATIONTIME after the start of the previous iteration at the earliest, and waits
// after its end for as long as it used the processor (at most a second), so that frequent events
// leave clients half of the processor.  Time spent waiting for replies is free for clients anyway.
#pragma once
#include <algorithm>
#include <chrono>
#include <functional>
#include <tuple>
#include <utility>

#include "base/boot_time.h"
#include "engine/driver.h"
#include "maui/clock.h"

namespace maui {

/// Returns the processor time used by this process.
std::chrono::nanoseconds processor_time();

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

class LiveDriver final : public Driver {
 public:
  /// `clock` is the clock that the engine reads; `wall` is read when an iteration ends, and `work`
  /// returns the processor time used so far.
  LiveDriver(Engine& engine, LiveClock& clock,
             std::function<WallTime()> wall = std::chrono::steady_clock::now,
             std::function<std::chrono::nanoseconds()> work = processor_time)
      : engine_(engine), clock_(clock), read_wall_(std::move(wall)), read_work_(std::move(work)) {}

  State state(WallTime wall) override;
  WallTime due() const override { return due_; }
  void step() override;
  void touch() override { touched_ = true; }
  /// Updates the clock and reports a step of it to the engine.  Must not be called in an iteration.
  void tick();

 private:
  Engine& engine_;
  LiveClock& clock_;
  std::function<WallTime()> read_wall_;
  std::function<std::chrono::nanoseconds()> read_work_;
  WallTime wall_{}, begun_{}, due_{};  // last call of state(); last iteration; next one
  WallTime rested_{};                  // end of the time that clients get after an iteration
  Time begun_at_{0};                   // start of the last iteration, by the clock
  Time event_ = kForever;              // the first event known after its start
  bool touched_ = false;
};

}  // namespace maui
