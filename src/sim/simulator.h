// The simulated resource manager: traces replayed in virtual time (guide 16).
//
// It submits the jobs of a workload trace as the submission policy says, ends
// each when its recorded run time is over, and moves the only clock that the
// engine then has.
#pragma once

#include "maui/clock.h"
#include "maui/resource_manager.h"

namespace maui {

/// The clock of a simulation: stands still until told to move.
class VirtualClock : public Clock {
 public:
  explicit VirtualClock(Time start) : now_(start) {}
  Time now() const override { return now_; }
  void move_to(Time when) { now_ = when; }

 private:
  Time now_;
};

class Simulator : public ResourceManager {
 public:
  /// The time at which the simulation begins (SIMSTARTTIME, or as the submission policy says).
  virtual Time start_time() const = 0;
  /// The next time at which a job arrives or ends by itself; kForever when nothing is left.
  Time next_event() const override = 0;
};

}  // namespace maui
