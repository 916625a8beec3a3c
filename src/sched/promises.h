// The promise of a priority reservation, with RUNTIMELEARNING BACKFILL or PRIORITY: by wallclock
// limits alone, the job starts no later than RESERVATIONSLACK after the earliest start that was
// ever reserved for it.
//
// During backfill each reservation is as late as its promise allows; afterwards it moves back to
// the earliest slot that the backfilled jobs have left.
#pragma once
#include <vector>

#include "sched/availability/slot.h"
#include "sched/cycle_state.h"

namespace maui {

/// Notes the starts that a plan promises in Cluster::run_times; returns true if one is the earliest
/// that its job has been promised so far.
bool note_promises(Cluster& cluster, const Plan& plan);

/// Returns the latest start, by limits alone, that the priority reservation of a job promises;
/// kForever if it promises none.
Time latest_promise(const Cluster& cluster, const Settings& settings, const Job& job);

class Promises {
 public:
  /// Notes the promises of this cycle in the plan and moves the reservations to their latest
  /// starts.  Does nothing where RUNTIMELEARNING does not affect decisions.
  explicit Promises(CycleState& state);
  /// Moves the reservations to their earliest slots.  Requires that backfill is done.
  void settle();

 private:
  struct Moved {
    std::size_t rank;
    Slot first;    // the original slot
    Time last{0};  // the current start
  };

  /// True if some waiting job might be backfilled and would still run at `first`, the first start.
  bool in_the_way(Time first) const;
  void loosen(std::size_t rank);

  CycleState& state_;
  std::vector<Moved> moved_;  // lowest priority first
  std::size_t starts_before_ = 0;
};

}  // namespace maui
