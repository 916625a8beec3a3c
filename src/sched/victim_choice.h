// The choice among jobs that may give up their nodes for one other: the fewest that suffice and,
// among these sets, the one that loses least, as far as a bounded search finds it (guide 8.4;
// BFPRIORITYPOLICY).
#pragma once
#include <cstddef>
#include <functional>
#include <optional>

#include "maui/job.h"
#include "maui/request.h"
#include "sched/availability/slot.h"
#include "sched/victim_candidates.h"

namespace maui {

class CycleState;

class VictimChoice {
 public:
  using Chosen = VictimCandidates::Chosen;
  /// True if the candidate, which is laid off, would take others in turn once the job has the slot.
  using TakesOthers = std::function<bool(std::size_t candidate, const Slot& slot)>;

  /// Chooses for the job with this request; requires that the arguments outlive the object.
  VictimChoice(CycleState& state, VictimCandidates& candidates, const Job& job,
               const Request& request)
      : state_(state), candidates_(candidates), job_(job), request_(request) {}

  /// True if the job fits now.
  bool fits();
  /// Returns the jobs that are to leave; requires that all in `among`, those of least harm first,
  /// together make room.  If possible, a single job is none that would take others.  The search
  /// reduces `attempts_left`.
  Chosen fewest(const Chosen& among, const TakesOthers& takes_others, int& attempts_left);
  /// Returns the first jobs that together make room, without those that are not needed.
  Chosen first(const Chosen& among);
  /// Requires that the chosen jobs are laid off and make room.  Puts back those that are not
  /// needed, the most harmful first, and returns the others.
  Chosen needed(Chosen chosen);

 private:
  /// Returns the first of these that suffices alone; if possible, one that would not take others
  /// in turn.
  std::optional<std::size_t> one_alone(const Chosen& among, const TakesOthers& takes_others);
  Chosen largest_first(Chosen among);
  /// Returns the best set that a bounded search through the small sets finds, or else `best`.
  Chosen searched(const Chosen& among, Chosen best, int& attempts_left);
  bool better(const Chosen& a, const Chosen& b) const;

  CycleState& state_;
  VictimCandidates& candidates_;
  const Job& job_;
  const Request& request_;
};

}  // namespace maui
