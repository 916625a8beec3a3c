// The jobs that may give up their nodes in a cycle: active ones, and those that the plan has
// decided to start or to resume (guide 8.4).
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "maui/job.h"
#include "maui/request.h"
#include "sched/reservations/owner_preemption.h"

namespace maui {

class CycleState;
struct Pin;

class VictimCandidates {
 public:
  using Chosen = std::vector<std::size_t>;  // indexes
  /// How the plan starts or resumes a job.
  struct Planned {
    Request shape;
    Placement nodes;
    Pin* pin = nullptr;                     // of a job that resumes
    std::vector<std::size_t> victims = {};  // the candidates that leave for the job
  };
  struct Candidate {
    JobId job;
    unsigned kinds = 0;  // bits of VictimKind
    unsigned takes = 0;  // the kinds that the job may take itself once it waits
    std::int64_t priority = 0;
    int procs = 0;
    double harm = 0;    // candidates with less harm are taken first
    bool last = false;  // taken only after all others
    bool taken = false;
    bool waits = false;  // taken, and waits in the queue from the next plan on
    std::unique_ptr<const Planned> planned = {};  // of a job that is not active
  };

  VictimCandidates(CycleState& state, const OwnedReservations& owned)
      : state_(state), owned_(owned) {}

  std::size_t size() const { return all_.size(); }
  const Candidate& operator[](std::size_t index) const { return all_[index]; }
  Candidate& operator[](std::size_t index) { return all_[index]; }
  void add(Candidate candidate) { all_.push_back(std::move(candidate)); }

  const Placement& nodes_of(const Candidate& candidate) const;
  /// Returns the candidate's priority as if it had waited ever since it was queued.
  std::int64_t in_queue(std::size_t index);
  /// True if BACKFILLPOLICY PREEMPT holds for jobs with this request.
  bool taken_by_heads(const Request& request) const;
  /// True if the waiting job and the candidate could take their nodes from each other, again and
  /// again: only the one that is above in the queue may.
  bool could_take_each_other(const Candidate& candidate, const Job& job) const;
  /// True if the job would use, on these nodes, an OWNERPREEMPT reservation that the candidate's
  /// user owns: the candidate could take it back.
  bool would_be_guest_of(std::size_t index, const Job& job, const Placement& there) const;
  /// True if the first one is taken before the second.
  bool less_harm(std::size_t a, std::size_t b) const;
  /// Frees the nodes of these jobs in the timeline.
  void lay_off(const Chosen& chosen);
  /// Takes that back.
  void put_back(const Chosen& chosen);

 private:
  CycleState& state_;
  const OwnedReservations& owned_;
  std::vector<Candidate> all_;
  std::vector<std::int64_t> in_queue_;  // priorities of the first candidates, as far as known
};

}  // namespace maui
