// The jobs that can be preempted in a cycle, by whom, and what the plan does with them
// (guide 8.4; BFPRIORITYPOLICY, BACKFILLPOLICY PREEMPT).
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "maui/cluster.h"
#include "maui/plan.h"
#include "sched/availability/access_sets.h"
#include "sched/availability/slot.h"
#include "sched/priority/priority_judge.h"
#include "sched/requeued_victims.h"
#include "sched/reservations/owner_preemption.h"
#include "sched/victim_candidates.h"
#include "sched/victim_kind.h"

namespace maui {

class CycleState;
class StepAside;

class Victims {
 public:
  /// Collects the active jobs that may be preempted, before any is but by settled starts; all jobs
  /// where a reservation has OWNERPREEMPT.
  Victims(CycleState& state, const OwnedReservations& owned);

  /// True if no candidate is left.
  bool none();
  /// Whether and how a job may start if it needs no victim after all.
  enum class Without : std::uint8_t { in_turn, as_backfill, not_at_all };
  /// Starts a job on the nodes of victims that it may take: the fewest jobs that suffice and, among
  /// these sets, the one that loses least.  Victims have no higher priority, except guests.  Jobs
  /// that the plan starts or resumes may be victims, too, and wait instead: otherwise the next plan
  /// would preempt them.  Returns false and changes nothing if the job cannot start even then.
  bool make_room(std::size_t rank, const Request& request, std::size_t alternative,
                 unsigned victim_kinds, Without without);
  /// The cost of a start to other jobs; the lesser one is better.
  struct Cost {
    std::size_t victims = 0;  // active ones
    double harm = 0;
    friend auto operator<=>(const Cost&, const Cost&) = default;
  };
  /// Returns the cost of the start that make_room() would decide on; nullopt: none.
  std::optional<Cost> cost_of(std::size_t rank, const Request& request, unsigned victim_kinds,
                              Without without);
  /// True if the job at that rank, with these victim kinds, may take the job that the plan has
  /// started last.
  bool may_take_last_start(std::size_t rank, unsigned victim_kinds);
  /// Returns the ranks of the jobs whose start has been taken back since the last call.
  std::vector<std::size_t> taken_back() { return std::exchange(taken_back_, {}); }
  /// True if the job at that rank, with these victim kinds, may take a job that the plan starts or
  /// resumes, and has not been denied a start that others would take.
  bool may_take_planned(std::size_t rank, unsigned victim_kinds);
  /// True if a job has left, or waits instead of starting, since the last call.
  bool some_left() { return std::exchange(some_left_, false); }
  /// Takes back starts of this plan that jobs which leave would preempt in the next one, when they
  /// wait, and keeps the nodes that these will have then, until release_kept().
  void leave_to_victims();
  void release_kept();

  /// True if the job at that rank, with these victim kinds, could take the job at `upper`, which is
  /// above it in the queue, once that one ran on some nodes.
  bool could_take(std::size_t rank, unsigned victim_kinds, std::size_t upper);

 private:
  using Chosen = VictimCandidates::Chosen;
  using Candidate = VictimCandidates::Candidate;
  using Planned = VictimCandidates::Planned;

  /// Returns a job with these flags as a candidate; nullopt if nobody could take it.
  std::optional<Candidate> candidate(const Job& job, const Request& request,
                                     std::uint16_t flags) const;
  /// True if BFPRIORITYPOLICY decides which jobs leave for a job with this request, and in which
  /// order, however many that takes.
  bool in_order(const Request& request) const {
    return in_order_ && candidates_.taken_by_heads(request);
  }
  void add_active();
  /// Notes the victims of the starts that the attempt to plan began with.
  void note_settled();
  /// Adds the jobs that the plan has decided to start or resume since the last call.
  void add_planned();
  void add_planned(JobId id, std::uint16_t flags, std::int64_t priority, Planned planned);
  double harm_of(const Job& job, bool backfilled) const;
  Chosen takable(std::size_t rank, const Request& request, unsigned victim_kinds);
  /// True if limits let the job start on the nodes that the chosen jobs give up.  Otherwise, notes
  /// the shape on fewer or faster nodes for which limits leave room, if there is one.
  bool within_limits(const Job& job, const Request& request, const Chosen& chosen);
  /// Takes back the start of a job; its own victims stay.  Returns false and does nothing where
  /// others have what these have left.
  bool take_back(std::size_t planned, JobId taker, StepAside& aside);
  /// A start on the nodes of victims.
  struct Room {
    Chosen chosen;  // the jobs that leave
    Chosen spared;  // victims of these that stay after all
    Slot slot;
  };
  /// Returns a planned preemptor among the chosen jobs that has taken a job which the one at that
  /// rank may not take; nullopt: none.  The preemptor would leave its nodes again at once.
  std::optional<std::size_t> preempts_in_vain(const Room& room, std::size_t rank,
                                              unsigned victim_kinds);
  using Use = std::function<bool(Room& room, StepAside& aside)>;
  /// Calls `use` with the start that make_room() decides on while its victims are laid off; returns
  /// false if there is none.  Afterwards all are back, unless `use` has taken them.
  bool with_room(std::size_t rank, const Request& request, unsigned victim_kinds, Without without,
                 const Use& use);
  /// Does that with this shape of the request.  Sets whether there is such a start.
  bool with_room_in(const Request& shape, std::size_t rank, unsigned victim_kinds, Without without,
                    const Use& use, bool& possible);
  /// Requires that the chosen jobs are laid off.  Puts back and returns those of their own victims
  /// that need not leave for this job.
  Chosen spare(const Chosen& chosen, const Job& job, const Request& request);
  /// Requires that these jobs are put back.  Lays off those beside which limits would not let the
  /// job start, and returns the others.
  Chosen spared_by_limits(const Chosen& among, const Job& job, const Request& request);
  /// Notes in the plan that these jobs, which are laid off, leave, and their victims but for
  /// `spared`.
  void take(const Chosen& chosen, const Chosen& spared, JobId preemptor, unsigned victim_kinds,
            StepAside& aside);
  void take_planned(const Candidate& victim, const Chosen& spared, JobId preemptor,
                    StepAside& aside);

  /// True if the job at that rank, with these victim kinds, may take the candidate.  Where jobs
  /// could take their nodes from each other again and again, only the one that is above in the
  /// queue may.
  bool may_take(std::size_t candidate, std::size_t rank, unsigned victim_kinds);
  /// True if flags and priorities let the job take the candidate, as one of these kinds; `above`
  /// says whether it would be above the candidate in the queue.
  bool flags_allow(const Candidate& candidate, std::size_t rank, unsigned kinds,
                   const std::function<bool()>& above);
  /// Returns the job's priority at the next iteration, if that is higher: until then, the priority
  /// of a job that starts now stands still.
  std::int64_t priority_soon(std::size_t rank);
  std::int64_t priority(std::size_t rank) const;
  /// True if the job at that rank would be above the candidate in the queue.
  bool above_in_queue(std::size_t rank, std::size_t candidate);

  struct Failure {  // a request that found no room at this priority with these kinds
    RequestId request;
    std::int64_t priority, soon;
    unsigned victim_kinds;
    unsigned given;  // the kinds of victim that the job itself belongs to
    Credentials who;
    AccessSet access = 0;        // to reservations, which the request does not say
    bool waits_for_set = false;  // of nodes
    friend bool operator==(const Failure&, const Failure&) = default;
  };
  /// True if the attempt has failed before, at this priority or a higher one.
  bool known_to_fail(Failure attempt) const;
  /// Returns the jobs that are to leave; none if the free nodes suffice, or if all do not.
  Chosen enough_of(const Chosen& among, const Job& job, const Request& request);

  CycleState& state_;
  const OwnedReservations& owned_;
  VictimCandidates candidates_;
  RequeuedVictims requeued_;
  std::optional<PriorityJudge> at_next_;  // for priority_soon()
  std::size_t left_ = 0;
  std::size_t seen_ = 0;                 // the decisions that add_planned() has looked at
  std::vector<std::size_t> taken_back_;  // ranks, for taken_back()
  std::vector<JobId> denied_;            // jobs whose start take_back() has taken back
  std::vector<JobId> kept_for_;          // jobs that leave and whose next nodes are kept
  std::vector<JobId> put_off_;           // all jobs whose start or resumption has been taken back
  std::map<JobId, Chosen> victims_of_;   // the active jobs that leave, by their preemptor
  bool some_left_ = false;               // for some_left()
  bool made_room_ = false;               // some job has left, perhaps more nodes than were needed
  bool in_order_ = false;            // BFPRIORITYPOLICY counts where BACKFILLPOLICY PREEMPT holds
  std::optional<Request> narrower_;  // what within_limits() has noted last
  std::vector<Failure> failures_;
  int attempts_left_ = 1000;  // of searched(), for all jobs of the cycle
};

}  // namespace maui
