// The simulated resource manager: traces replayed in virtual time (guide 16).
//
// It submits the jobs of a workload trace according to the submission policy, ends each
// job after its recorded run time, and advances the only clock that the engine then
// uses.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "maui/clock.h"
#include "maui/resource_manager.h"

namespace maui {

/// The clock of a simulation, which advances only by move_to().
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
  /// Returns the time at which the simulation begins (SIMSTARTTIME, or by the submission policy).
  virtual Time start_time() const = 0;
  /// Returns the next time at which a job arrives or ends by itself; kForever if there is none.
  Time next_event() const override = 0;
  /// Returns the jobs that were never submitted, since the jobs that they follow have not ended.
  virtual std::vector<std::string> never_submitted() const = 0;
  /// Returns the number of jobs that have not been submitted.
  virtual std::size_t unsubmitted() const = 0;
};

}  // namespace maui
