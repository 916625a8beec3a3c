// Live operation (guide 3.3): an iteration every RMPOLLINTERVAL, and earlier when a job or a node
// changes, a reservation begins or ends, or a client has changed something.  An early iteration
// begins JOBAGGREGATIONTIME after the start of the previous iteration at the earliest, and waits
// after its end for as long as it used the processor (at most a second), so that frequent events
// leave clients half of the processor.  Time spent waiting for replies is free for clients anyway.
#pragma once
#include <chrono>
#include <functional>
#include <utility>

#include "daemon/worlds/live_clock.h"
#include "engine/driver.h"
#include "maui/units.h"

namespace maui {

/// Returns the processor time used by this process.
std::chrono::nanoseconds processor_time();

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
