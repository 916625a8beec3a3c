#include "sched/preemption.h"

#include <map>

#include "sched/cycle_state.h"
#include "sched/placement/feasibility.h"
#include "sched/rules/partition_policies.h"
#include "sched/victims.h"

namespace maui {
namespace {

/// BACKFILLPOLICY PREEMPT: that many jobs at the head of the queue, and of the queue of each
/// partition with this policy, may preempt backfilled jobs.
class Heads {
 public:
  explicit Heads(const CycleState& state) : state_(state) {
    for (const auto& stack : state.settings().reservation_stacks) depth_ += stack.depth;
  }
  bool include(std::size_t rank) {
    return state_.backfill_policy(rank) == BackfillPolicy::preempt && waiting_before(rank) < depth_;
  }
  /// Notes that the job goes on waiting: one that starts leaves its place to the next.
  void note_waits(std::size_t rank) { ++waiting_before(rank); }

 private:
  int& waiting_before(std::size_t rank) {
    return waiting_[backfills_by(state_.cluster(), state_.settings(), state_.request(rank))];
  }

  const CycleState& state_;
  int depth_ = 0;
  std::map<PartitionId, int> waiting_;
};

/// Tries each shape of the job.
bool start_by_preempting(CycleState& state, Victims& victims, std::size_t rank,
                         unsigned victim_kinds, Victims::Without without) {
  const auto& job = state.job(rank);
  if (job.alternatives.empty())
    return victims.make_room(rank, state.request(rank), 0, victim_kinds, without);
  for (std::size_t i = 0; i < job.alternatives.size(); ++i)
    if (victims.make_room(rank, in_shape(state.request(rank), job.alternatives[i]), i, victim_kinds,
                          without))
      return true;
  return false;
}

/// True if a job that this cycle may still start could be preempted in the next one.
bool any_preemptible_waits(CycleState& state) {
  const auto preemptible = [&](std::size_t rank) {
    if (state.backfill_policy(rank) == BackfillPolicy::preempt) return true;
    const auto flags = state.flags().of(state.job(rank));
    return has(flags, JobFlag::preemptee) || has(flags, JobFlag::restartable);
  };
  for (std::size_t rank = 0; rank < state.jobs(); ++rank)
    if (state.open(rank) && preemptible(rank)) return true;
  return false;
}

}  // namespace

void preempt(CycleState& state, const std::function<bool(std::size_t)>& in_turn) {
  const OwnedReservations owned(state.cluster(), state.now());
  if (!owned.any() && !some_may_preempt(state.cluster(), state.settings(), state.flags())) return;
  Victims victims(state, owned);
  Heads heads(state);
  bool passes_others = false;  // BACKFILLPOLICY PREEMPT: a job of higher priority still waits
  // Without victims, preemptors come before suspended jobs, and before jobs that would be
  // backfilled only to be preempted in the next cycle, as owners come before guests.
  const bool before_others = owned.any() || !state.pins().empty() || any_preemptible_waits(state);
  const auto end = [&] { return victims.none() && !before_others; };
  for (std::size_t rank = 0; rank < state.jobs() && !end(); ++rank) {
    if (!state.open(rank) && state.reason(rank) != Reason::reserved_later) continue;
    if (state.job(rank).failures.preempts_from > state.now()) continue;
    auto victim_kinds = preemptible_by(state.flags(), state.job(rank));
    const bool head = heads.include(rank);
    if (head) victim_kinds |= kTakenByHeads;
    if (owned.any() && owned.owner(state.job(rank))) victim_kinds |= bit(VictimKind::guest);
    if (victim_kinds == 0) continue;
    if (state.throttling().holds_back(state.plan().order[rank], state.level())) continue;
    const auto policy = state.backfill_policy(rank);
    const bool unreserved = policy == BackfillPolicy::preempt;
    // Out of its turn, a start that takes nothing from anybody is backfill.
    const bool turn = in_turn(rank);
    const bool may_pass = turn || (policy != BackfillPolicy::none && !state.no_backfill(rank));
    const bool backfilled = !turn || (unreserved && passes_others);
    if (state.open(rank) && may_pass && state.start(rank, Seconds(0), backfilled)) continue;
    const auto without = !may_pass    ? Victims::Without::not_at_all
                         : backfilled ? Victims::Without::as_backfill
                                      : Victims::Without::in_turn;
    if (start_by_preempting(state, victims, rank, victim_kinds, without)) continue;
    if (head) heads.note_waits(rank);
    if (unreserved && state.open(rank)) passes_others = true;
  }
}

}  // namespace maui
