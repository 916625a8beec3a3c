// The order of backfill where run times are learned (RUNTIMELEARNING BACKFILL and PRIORITY): jobs
// that have waited too long go first, the others by the benefit of backfilling them.
//
// Usually a job does not fit, and neither do others with the same request.  Therefore, only the
// best job of each request is tried, and the others after it has had its turn.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "sched/cycle_state.h"

namespace maui {

class LearnedBackfill {
 public:
  /// Takes the jobs at these ranks; requires that `state` and `ranks` outlive the object.
  LearnedBackfill(CycleState& state, const std::vector<std::size_t>& ranks);
  /// Calls `attempt` with each rank in order while anything is free.  Skips jobs whose request was
  /// found not to fit; these have Reason::idle_procs.
  void fill(const std::function<void(std::size_t rank)>& attempt);

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Place {
    double above;         // lower values come first
    std::uint32_t index;  // into ranks_
  };
  /// Jobs with one request.
  struct Group {
    Place best;  // the best job that has had no turn
    std::size_t left = 0;
    std::vector<Place> others = {};  // a heap once the best job has had its turn
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
  std::vector<std::uint32_t> group_of_;         // by index into ranks_
  std::vector<std::uint32_t> first_, next_of_;  // group members as lists, built on demand
};

}  // namespace maui
