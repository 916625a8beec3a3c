// The promise of a priority reservation, with RUNTIMELEARNING BACKFILL or PRIORITY: by wallclock
// limits alone the job starts no later than RESERVATIONSLACK after the earliest start that was ever
// reserved for it.
//
// While jobs are backfilled, each reservation stands as late as that allows; afterwards it goes
// back to the earliest place that they have left.
#pragma once
#include <vector>

#include "sched/availability/slot.h"
#include "sched/cycle_state.h"

namespace maui {

/// Notes the starts that a plan promises in Cluster::run_times.
void note_promises(Cluster& cluster, const Plan& plan);

class Promises {
 public:
  /// Notes the promises of this cycle in the plan and moves their reservations back.  Does nothing
  /// where learning decides nothing.
  explicit Promises(CycleState& state);
  /// Requires that backfill is done.
  void settle();

 private:
  struct Moved {
    std::size_t rank;
    Slot first;    // where it was
    Time last{0};  // where it is
  };

  /// Some job that waits might be backfilled, and would not end before the first of these starts.
  bool in_the_way(Time first) const;
  void loosen(std::size_t rank);

  CycleState& state_;
  std::vector<Moved> moved_;  // lowest priority first
  std::size_t starts_before_ = 0;
};

}  // namespace maui
