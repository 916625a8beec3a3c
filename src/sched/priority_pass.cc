// The walk through the queue in priority order, within soft limits first and then within hard ones;
// preemption and backfill follow each walk (paper 3, steps 6 to 8; guide 3.3.1.4, 6.2.4).
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sched/cycle_state.h"
#include "sched/preemption.h"
#include "sched/promises.h"
#include "sched/reservation_stacks.h"
#include "sched/suspended.h"

namespace maui {
namespace {

void reserve(CycleState& state, std::size_t rank) {
  if (auto slot = state.first_slot(rank)) state.take(rank, *std::move(slot));
}

void start_or_reserve(CycleState& state, std::size_t rank) {
  if (!state.start(rank, Seconds(0), false) && state.open(rank)) reserve(state, rank);
}

// RESERVEALWAYS applies at any priority.  Jobs that the walk in priority order did not reach start
// where they block nobody, or get a reservation.
void serve_who_always_reserve(CycleState& state) {
  if (!state.flags().possible(JobFlag::reserve_always)) return;
  for (std::size_t rank = 0; rank < state.jobs(); ++rank) {
    if (state.open(rank) && state.reserves_always(rank)) start_or_reserve(state, rank);
  }
}

// The walk in priority order.  Each later run covers the jobs that the first one reached, and
// serves those that limits no longer hold back.
class PriorityPass {
 public:
  explicit PriorityPass(CycleState& state)
      : state_(state),
        stacks_(state.cluster(), state.settings()),
        preemption_(state),
        end_(state.jobs()) {}

  void run() {
    walk(0);
    again_ = true;
    serve_who_always_reserve(state_);
  }
  /// Lets jobs preempt others that the walk has not reached, or has reserved.
  void serve_preemptors() {
    preemption_.serve_others([this](std::size_t rank) { return in_turn(rank); },
                             [this] {
                               reserve_behind_suspended();
                               start_reserved(end_ + 1);
                               start_kept(end_ + 1);
                               serve_reopened(end_);
                             });
    reopened_.clear();
    if (!stopped() || stacks_.over()) return;
    // A job with a reservation has started after all: the walk goes on from where it ended.
    walk(std::exchange(end_, state_.jobs()) + 1);
  }
  void settle_preemption() {
    preemption_.serve_new_heads();
    preemption_.settle();
  }
  bool stopped() const { return end_ < state_.jobs(); }
  /// Returns the job at which the walk ended, if it did not reach all jobs.
  JobId stopped_at() const { return stopped() ? state_.job(end_).id : JobId(); }
  /// True if jobs that soft limits hold back have kept their places.
  bool keeps_places() const { return !places_.empty(); }
  /// Lets the next run serve these jobs within hard limits: it goes as far as it would if they had
  /// not been served.
  void leave_places() {
    for (const auto rank : places_) {
      state_.leave_place(rank);
      leave_stack(rank);
      if (rank >= end_) end_ = state_.jobs();
    }
    places_.clear();
  }
  /// True if the walk reached the job before its turn was over: no job waits that it would pass.
  bool in_turn(std::size_t rank) {
    return rank <= end_ && !(stacks_.any_ended() && stacks_.passed(state_.job(rank), rank));
  }
  /// True if a job waits that this one may not pass, since there is no backfill.
  bool saves_from(const Job& job) { return stacks_.saving(job); }
  /// The first job that could neither start nor be reserved waits for processors, not for others.
  void explain_first() {
    if (first_ < state_.jobs() && state_.open(first_)) state_.reason(first_) = Reason::idle_procs;
  }

 private:
  // Serves the jobs from that rank on, until the walk ends.
  void walk(std::size_t rank) {
    for (; rank < end_; ++rank) {
      if (!serve(rank)) end_ = rank;
      reopened_.clear();  // the others have not had their turn
    }
  }

  // Returns false if the walk ends here.
  bool serve(std::size_t rank) {
    if (!state_.open(rank)) {
      if (state_.reason(rank) == Reason::reserved_later) {
        if (!again_ && made_room_ && state_.start_reserved(rank)) return true;
        if (const auto goes_on = preempt(rank)) return *goes_on;
      }
      // A kept reservation counts towards the depth of its stack.
      if (!again_ && state_.reason(rank) == Reason::reserved_later && !state_.reserves_always(rank))
        stacks_.take(state_.job(rank));
      return true;
    }
    if (stacks_.any_ended() && stacks_.ended(state_.job(rank), rank)) return true;
    if (again_ && stacks_.saving(state_.job(rank))) return true;
    if (!state_.held_by_limits(rank) && state_.start(rank, Seconds(0), false)) return true;
    if (state_.open(rank))
      if (const auto goes_on = preempt(rank)) return *goes_on;
    // A reserved job may stay reserved: what blocks it now may have ended by its start.
    const auto* before = state_.open(rank) ? nullptr : state_.reserved_before(rank);
    if (!state_.open(rank) && !before) return true;
    if (state_.no_reservation(rank) || state_.confined_to_nothing(rank)) return true;
    if (before && state_.level() == Strictness::soft) return keep_place(rank, *before);
    if (state_.reserves_always(rank)) {
      reserve(state_, rank);
      return true;
    }
    if (!stacks_.take(state_.job(rank))) {
      if (stacks_.strict(state_.job(rank)) && !state_.first_slot(rank)) return true;
      stacks_.end(state_.job(rank), rank);
      if (state_.plan().reserves == 0) first_ = std::min(first_, rank);
      return !stacks_.over();
    }
    auto slot = state_.first_slot(rank);
    if (!slot) {  // the job has no slot at present, so no other job waits for it
      stacks_.give_back(state_.job(rank));
      return true;
    }
    // The slot may be now: reservations of equal jobs are exchanged where that helps.
    if (slot->start <= state_.now()) stacks_.give_back(state_.job(rank));
    state_.take(rank, *std::move(slot));
    if (state_.fits_beyond_soft(rank)) places_.push_back(rank);
    if (stacks_.used_up(state_.job(rank))) stacks_.end(state_.job(rank), rank);
    return !stacks_.over();
  }

  // Lets the job preempt others; returns nullopt if it goes on waiting, otherwise false if the walk
  // ends here.  Jobs beyond their soft limits have only what is idle, not what other jobs use
  // (guide 6.2.4).
  std::optional<bool> preempt(std::size_t rank) {
    if (again_ || !preemption_.serve(rank)) return std::nullopt;
    made_room_ = true;
    const bool goes_on = reserve_behind_suspended();
    start_reserved(rank);
    return serve_reopened(rank + 1) && goes_on;
  }

  // Suspended jobs, also those that this plan suspends, have their nodes before jobs are reserved.
  // Makes reservations anew, from the first one that is in their way; returns false if the walk
  // ends with one of these.
  bool reserve_behind_suspended() {
    if (!any_behind_reservations(state_)) return true;
    auto& timeline = state_.timeline();
    const std::vector<Timeline::Held> before = timeline.held();
    for (const auto& held : before) timeline.release(held.job);
    // The object gives suspended jobs their nodes as it ends.
    { const StepAside all(state_, std::numeric_limits<std::int64_t>::max()); }
    std::vector<std::size_t> lost;
    for (std::size_t rank = 0; rank < state_.jobs(); ++rank) {
      if (state_.reason(rank) != Reason::reserved_later) continue;
      const auto held = std::find_if(before.begin(), before.end(), [&](const auto& one) {
        return one.job == state_.job(rank).id;
      });
      if (held == before.end()) continue;  // it has its nodes now
      const auto place = std::find(places_.begin(), places_.end(), rank);
      const bool first = lost.empty() || place != places_.end();
      if (first &&
          timeline.model().has_room(*held->of, *held->request, held->placement, held->start)) {
        timeline.hold(*held->of, *held->request, held->placement, held->start);
        continue;
      }
      state_.leave_place(rank);
      leave_stack(rank);
      if (place != places_.end()) {
        places_.erase(place);
        continue;
      }
      state_.reason(rank) = Reason::not_reached;
      lost.push_back(rank);
    }
    bool goes_on = true;
    for (const auto rank : lost) {
      if (!state_.open(rank)) continue;
      if (state_.reserves_always(rank))
        start_or_reserve(state_, rank);
      else
        goes_on = serve(rank) && goes_on;
    }
    return goes_on;
  }

  // Victims may have left more than their preemptor needs: starts the reserved jobs before that
  // rank that fit now.
  void start_reserved(std::size_t before) {
    for (std::size_t rank = 0; rank < std::min(before, state_.jobs()); ++rank)
      if (state_.reason(rank) == Reason::reserved_later && state_.start_reserved(rank))
        leave_stack(rank);
  }

  // Likewise from that rank on, which the walk has not reached: of kept reservations.
  void start_kept(std::size_t from) {
    for (std::size_t rank = from; rank < state_.jobs(); ++rank)
      if (state_.reason(rank) == Reason::reserved_later) state_.start_reserved(rank);
  }

  // The job no longer counts towards the depth of its stack, nor has the stack ended with it.
  void leave_stack(std::size_t rank) {
    if (state_.reserves_always(rank)) return;
    stacks_.give_back(state_.job(rank));
    stacks_.reopen(state_.job(rank), rank);
  }

  // Serves the jobs before that rank whose turn it is again, since others have been preempted: the
  // walk has passed them.
  bool serve_reopened(std::size_t before) {
    bool goes_on = true;
    for (;;) {
      for (const auto rank : preemption_.reopened()) reopened_.insert(rank);
      if (reopened_.empty() || *reopened_.begin() >= before) return goes_on;
      const auto rank = *reopened_.begin();
      reopened_.erase(reopened_.begin());
      if (state_.open(rank)) goes_on = serve(rank) && goes_on;
    }
  }

  // Jobs within soft limits may not take the place of a reserved job that is beyond them.  It is
  // served with the others of its kind, by priority, once those within soft limits have been.
  bool keep_place(std::size_t rank, const Reservation& before) {
    const bool always = state_.reserves_always(rank);
    if (!always && !stacks_.take(state_.job(rank))) return true;
    if (!state_.keep_place(rank, before)) {
      if (!always) stacks_.give_back(state_.job(rank));
      return true;
    }
    places_.push_back(rank);
    if (!always && stacks_.used_up(state_.job(rank))) stacks_.end(state_.job(rank), rank);
    return always || !stacks_.over();
  }

  CycleState& state_;
  ReservationStacks stacks_;
  PreemptionStep preemption_;
  std::set<std::size_t> reopened_;   // ranks of jobs whose turn it is again
  std::vector<std::size_t> places_;  // ranks of jobs that have their places until leave_places()
  std::size_t end_;
  std::size_t first_ = ~std::size_t{0};  // of those out of turn, if no job before it is reserved
  bool again_ = false;
  bool made_room_ = false;  // jobs have been preempted: kept reservations may be due at once
};

void serve_within_limits(CycleState& state, PriorityPass& pass) {
  const bool soft = state.throttling().soft_matters();
  const Strictness first = soft ? Strictness::soft : Strictness::hard;
  const auto serve = [&] {
    pass.run();
    if (state.level() == first) pass.serve_preemptors();
    Promises promises(state);
    backfill(state);
    promises.settle();
  };
  state.set_level(first);
  serve();
  if (!soft || !state.anything_free()) return;
  // Without backfill, the remaining resources are saved for the job at which the walk stopped.
  if (!backfills(state.settings()) && pass.stopped() && !pass.keeps_places()) return;
  pass.leave_places();
  if (state.relax()) serve();
}

}  // namespace

void serve_waiting_jobs(CycleState& state) {
  PriorityPass pass(state);
  serve_within_limits(state, pass);
  pass.settle_preemption();
  resume_violators(state, [&pass](const Job& job) { return pass.saves_from(job); });
  pass.explain_first();
  state.plan().stopped_at = pass.stopped_at();
}

}  // namespace maui
