// The order of backfill where run times are learned (RUNTIMELEARNING BACKFILL and PRIORITY): by
// what it is worth that a job goes first, those that have waited too long before all others.
//
// Mostly a job does not fit, nor do the others that ask for the same: so of each request only the
// best job is looked for, and the others when that has had its turn.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "sched/cycle_state.h"

namespace maui {

class LearnedBackfill {
 public:
  /// The jobs at these ranks; both outlive it.
  LearnedBackfill(CycleState& state, const std::vector<std::size_t>& ranks);
  /// Calls `attempt` with each rank in order, as long as anything is free, but for those of which a
  /// job that asks for the same was found not to fit: these have Reason::idle_procs.
  void fill(const std::function<void(std::size_t rank)>& attempt);

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Place {
    double above;         // lower: earlier
    std::uint32_t index;  // into ranks_
  };
  /// Jobs with one request.
  struct Group {
    Place best;  // of those that have had no turn
    std::size_t left = 0;
    std::vector<Place> others = {};  // a heap, once the first has had its turn
    bool ordered = false;
    bool fits_nowhere = false;
  };

  Place place_of(std::size_t index) const;
  bool before(const Place& a, const Place& b) const;
  const Plan::Ranked& ranked(const Place& place) const {
    return state_.plan().order[ranks_[place.index]];
  }
  void bring_up_next(std::uint32_t group);
  void link_members();
  void note_misfits();

  CycleState& state_;
  const std::vector<std::size_t>& ranks_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> group_of_;         // of each of ranks_
  std::vector<std::uint32_t> first_, next_of_;  // the members of groups as lists, once asked for
};

}  // namespace maui
