// Moves a simulation through time (guide 16): one iteration after another, in steps of
// RMPOLLINTERVAL or from event to event, until it is to pause or it is over.
#pragma once
#include <chrono>
#include <optional>

#include "engine/engine.h"
#include "sim/simulator.h"

namespace maui {

class SimulationDriver {
 public:
  using WallTime = std::chrono::steady_clock::time_point;
  enum class State {
    ready,    // the next iteration is due
    later,    // it is due at due(), as SIMTIMERATIO says
    waiting,  // for a client to resume scheduling, or to change something
    ended,    // SIMEXITITERATION or SIMAUTOSHUTDOWN
  };

  /// `clock` is the one that the engine reads.
  SimulationDriver(Engine& engine, VirtualClock& clock) : engine_(engine), clock_(clock) {}

  State state(WallTime wall);
  WallTime due() const { return due_; }
  /// One iteration; requires that state() has just said State::ready.
  void step();
  /// A client has changed something: what was over may go on.
  void touch() { touched_ = true; }

 private:
  std::optional<Time> next_time() const;
  bool nothing_ahead() const;
  void apply_stop_rule();

  Engine& engine_;
  VirtualClock& clock_;
  Time event_ = kForever;  // the next one, as state() found it
  WallTime due_{};
  std::optional<WallTime> wall_base_;  // with SIMTIMERATIO: when the time was time_base_
  Time time_base_{0};
  int ratio_ = 0;
  bool touched_ = false;
};

}  // namespace maui
