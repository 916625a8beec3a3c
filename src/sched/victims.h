// The jobs that can be preempted in a cycle, and the choice among them
// (guide 8.4; BFPRIORITYPOLICY, BACKFILLPOLICY PREEMPT).
#pragma once
#include <cstdint>
#include <vector>

#include "maui/cluster.h"
#include "maui/plan.h"
#include "sched/reservations/owner_preemption.h"
#include "sched/victim_kind.h"

namespace maui {

class CycleState;

class Victims {
 public:
  /// The active jobs that somebody may preempt; all of them where reservations have owners who may.
  Victims(CycleState& state, const OwnedReservations& owned);

  /// Nobody is left.
  bool none() const { return left_ == 0; }
  /// Starts a job on nodes that jobs leave which it may take, whose priority is not above its own:
  /// the fewest that will do, and of these the ones that lose least.  False if it cannot start even
  /// so; then nothing is changed.
  bool make_room(std::size_t rank, const Request& request, std::size_t alternative,
                 unsigned victim_kinds);

 private:
  struct Candidate {
    JobId job;
    unsigned kinds = 0;  // bits of VictimKind
    std::int64_t priority = 0;
    int procs = 0;
    double harm = 0;    // the less, the earlier it is taken
    bool last = false;  // taken only after those that are not
    bool taken = false;
  };
  using Chosen = std::vector<std::size_t>;  // indexes of candidates

  double harm_of(const Job& job, bool backfilled) const;
  Chosen takable(std::size_t rank, const Request& request, unsigned victim_kinds);
  Chosen fewest(const Job& job, const Request& request, const Chosen& among);
  /// The job may start on what they give up, as far as limits go.
  bool within_limits(const Job& job, const Request& request, const Chosen& chosen);
  std::optional<std::size_t> one_alone(const Job& job, const Request& request, const Chosen& among);
  Chosen largest_first(const Job& job, const Request& request, Chosen among);
  /// Keeps of a set that is laid off and makes room only what is needed; the most harmful are
  /// spared first.
  Chosen needed(const Job& job, const Request& request, Chosen chosen);
  bool better(const Chosen& a, const Chosen& b) const;
  bool less_harm(std::size_t a, std::size_t b) const;
  bool fits(const Job& job, const Request& request);
  void lay_off(const Chosen& chosen);
  void put_back(const Chosen& chosen);
  void take(const Chosen& chosen, JobId preemptor, unsigned victim_kinds);

  /// The job may be taken by one of that rank with these powers.
  bool may_take(const Candidate& candidate, std::size_t rank, unsigned victim_kinds) const;

  CycleState& state_;
  const OwnedReservations& owned_;
  std::vector<Candidate> candidates_;
  std::size_t left_ = 0;
  bool in_order_ = false;  // BFPRIORITYPOLICY says who comes first, however many it takes
  struct Failure {         // a request that found no room at this priority with these powers
    RequestId request;
    std::int64_t priority;
    unsigned victim_kinds;
    Credentials who;
  };
  std::vector<Failure> failures_;
};

}  // namespace maui
