// The order of backfill where run times are learned (RUNTIMELEARNING BACKFILL and PRIORITY): by
// what it is worth that a job goes first, those that have waited too long before all others.
//
// Mostly a job does not fit, nor do the others that ask for the same: so of each request only the
// best job is looked for, and the next one when that has had its turn.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "sched/cycle_state.h"

namespace maui {

class LearnedBackfill {
 public:
  /// The jobs at these ranks; `state` outlives it.
  LearnedBackfill(CycleState& state, const std::vector<std::size_t>& ranks);
  /// Calls `attempt` with each rank in order, as long as anything is free, but for those of which a
  /// job that asks for the same was found not to fit: these have Reason::idle_procs.
  void fill(const std::function<void(std::size_t rank)>& attempt);

 private:
  struct Place {
    double above;  // lower: earlier
    std::uint32_t rank;
  };
  /// Jobs with one request, in places_; the last of them is the best one.
  struct Group {
    std::size_t begin, end;
    bool heap;  // those before the last are one
  };

  Place place_of(std::size_t rank) const;
  bool before(const Place& a, const Place& b);
  std::uint32_t queue_place(std::uint32_t rank);
  void bring_up_best(Group& group);
  void give_up(const Group& group);

  CycleState& state_;
  std::vector<Place> places_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t>
      in_queue_;  // by job: its place there; empty until two are worth the same
};

}  // namespace maui
