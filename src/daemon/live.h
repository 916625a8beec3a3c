// Scheduling in earnest (guide 3.3): an iteration every RMPOLLINTERVAL, and sooner when a job or a
// node changes, a reservation begins or ends, or a client has changed something; then not sooner
// than JOBAGGREGATIONTIME after the one before, and as long after its end as it took (a second at
// most), so that whoever rings all the time leaves clients half of it.
#pragma once
#include <chrono>
#include <functional>
#include <utility>

#include "daemon/driver.h"
#include "maui/clock.h"

namespace maui {

/// The machine's clock, which stands still between two ticks, so that an iteration is at one time.
/// It never goes back: where the machine's does, it waits.
class LiveClock : public Clock {
 public:
  explicit LiveClock(std::function<Time()> machine) : machine_(std::move(machine)) { tick(); }
  Time now() const override { return now_; }
  void tick() { now_ = std::max(now_, machine_()); }

 private:
  std::function<Time()> machine_;
  Time now_{0};
};

class LiveDriver final : public Driver {
 public:
  /// `clock` is the one that the engine reads; `wall` says how long an iteration takes.
  LiveDriver(Engine& engine, LiveClock& clock,
             std::function<WallTime()> wall = std::chrono::steady_clock::now)
      : engine_(engine), clock_(clock), read_wall_(std::move(wall)) {}

  State state(WallTime wall) override;
  WallTime due() const override { return due_; }
  void step() override;
  void touch() override { touched_ = true; }

 private:
  Engine& engine_;
  LiveClock& clock_;
  std::function<WallTime()> read_wall_;
  WallTime wall_{}, begun_{}, due_{};  // as state() was asked last; the last iteration; the next
  WallTime::duration took_{};          // the last iteration
  bool touched_ = false;
};

}  // namespace maui
