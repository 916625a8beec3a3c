// Advances a simulation in time (guide 16): one iteration after another, in steps of RMPOLLINTERVAL
// or from event to event, until the simulation pauses or ends.
#pragma once
#include <functional>
#include <optional>
#include <utility>

#include "engine/driver.h"
#include "sim/simulator.h"

namespace maui {

class SimulationDriver final : public Driver {
 public:
  /// `clock` must be the clock that the engine reads.
  /// `moved` is called after each advance of the clock.
  SimulationDriver(Engine& engine, VirtualClock& clock, std::function<void(Time)> moved = {})
      : engine_(engine), clock_(clock), moved_(std::move(moved)) {}

  State state(WallTime wall) override;
  WallTime due() const override { return due_; }
  void step() override;
  /// Makes a simulation that has ended look for work again.
  void touch() override { touched_ = true; }

 private:
  Time next_time() const;
  bool nothing_ahead(bool finished) const;

  Engine& engine_;
  VirtualClock& clock_;
  std::function<void(Time)> moved_;
  Time event_ = kForever;  // the next event, as found by state()
  WallTime due_{};
  std::optional<WallTime> wall_base_;  // with SIMTIMERATIO: the wall time at time_base_
  Time time_base_{0};
  int ratio_ = 0;
  bool touched_ = false;
};

}  // namespace maui
