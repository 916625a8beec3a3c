// Scheduling in earnest (guide 3.3): an iteration every RMPOLLINTERVAL, and sooner when a job or a
// node changes, a reservation begins or ends, or a client has changed something; then not sooner
// than JOBAGGREGATIONTIME after the one before, and as long after its end as it took of the
// processor (a second at most), so that whoever rings all the time leaves clients half of it.  What
// it waited for answers is theirs anyway.
#pragma once
#include <chrono>
#include <functional>
#include <utility>

#include "base/boot_time.h"
#include "engine/driver.h"
#include "maui/clock.h"

namespace maui {

/// The processor time of this process.
std::chrono::nanoseconds processor_time();

/// The machine's clock, which stands still between two ticks, so that an iteration is at one time.
///
/// A clock that nobody can set measures how much time passes.  Where the machine's differs by
/// little, it is being adjusted, and is waited for; where by more, it was set: that is a step.
class LiveClock : public Clock {
 public:
  using Passed = std::chrono::nanoseconds;  // since some moment
  /// `passed`: CLOCK_BOOTTIME, or what a test puts in its place.
  explicit LiveClock(std::function<Time()> machine, std::function<Passed()> passed = boot_time)
      : machine_(std::move(machine)), passed_(std::move(passed)), last_(passed_()) {
    now_ = seen_ = machine_();
  }
  Time now() const override { return now_; }
  void tick();
  /// By how much the machine's clock was set since this was asked last.
  Seconds take_step() { return std::exchange(step_, Seconds(0)); }

 private:
  std::function<Time()> machine_;
  std::function<Passed()> passed_;
  Passed last_;   // at the last tick
  Time seen_{0};  // the machine's clock then
  Time now_{0};
  Seconds step_{0};
};

class LiveDriver final : public Driver {
 public:
  /// `clock` is the one that the engine reads; `wall` says when an iteration ends, and `work` what
  /// it took of the processor.
  LiveDriver(Engine& engine, LiveClock& clock,
             std::function<WallTime()> wall = std::chrono::steady_clock::now,
             std::function<std::chrono::nanoseconds()> work = processor_time)
      : engine_(engine), clock_(clock), read_wall_(std::move(wall)), read_work_(std::move(work)) {}

  State state(WallTime wall) override;
  WallTime due() const override { return due_; }
  void step() override;
  void touch() override { touched_ = true; }
  /// Now is the machine's time, and if that was set the engine knows of it.  Not in an iteration.
  void tick();

 private:
  Engine& engine_;
  LiveClock& clock_;
  std::function<WallTime()> read_wall_;
  std::function<std::chrono::nanoseconds()> read_work_;
  WallTime wall_{}, begun_{}, due_{};  // as state() was asked last; the last iteration; the next
  WallTime rested_{};                  // when clients have had as much as the last iteration
  Time begun_at_{0};                   // the last iteration, by the clock
  Time event_ = kForever;              // the first that is known since then
  bool touched_ = false;
};

}  // namespace maui
