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
  bool take(std::size_t rank) {
    if (state_.backfill_policy(rank) != BackfillPolicy::preempt) return false;
    return taken_[backfills_by(state_.cluster(), state_.settings(), state_.request(rank))]++ <
           depth_;
  }

 private:
  const CycleState& state_;
  int depth_ = 0;
  std::map<PartitionId, int> taken_;
};

/// Tries each shape of the job.
void start_by_preempting(CycleState& state, Victims& victims, std::size_t rank,
                         unsigned victim_kinds, Victims::Without without) {
  const auto& job = state.job(rank);
  if (job.alternatives.empty()) {
    victims.make_room(rank, state.request(rank), 0, victim_kinds, without);
    return;
  }
  for (std::size_t i = 0; i < job.alternatives.size(); ++i)
    if (victims.make_room(rank, in_shape(state.request(rank), job.alternatives[i]), i, victim_kinds,
                          without))
      return;
}

}  // namespace

void preempt(CycleState& state, const std::function<bool(std::size_t)>& in_turn) {
  const OwnedReservations owned(state.cluster(), state.now());
  if (!owned.any() && !some_may_preempt(state.cluster(), state.settings(), state.flags())) return;
  Victims victims(state, owned);
  Heads heads(state);
  bool passes_others = false;  // BACKFILLPOLICY PREEMPT: a job of higher priority still waits
  // An owner also comes before guests that would be backfilled on free nodes.
  const auto end = [&] { return victims.none() && !owned.any(); };
  for (std::size_t rank = 0; rank < state.jobs() && !end(); ++rank) {
    if (!state.open(rank) && state.reason(rank) != Reason::reserved_later) continue;
    if (state.job(rank).failures.preempts_from > state.now()) continue;
    auto victim_kinds = preemptible_by(state.flags(), state.job(rank));
    if (heads.take(rank)) victim_kinds |= kTakenByHeads;
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
    start_by_preempting(state, victims, rank, victim_kinds,
                        !may_pass    ? Victims::Without::not_at_all
                        : backfilled ? Victims::Without::as_backfill
                                     : Victims::Without::in_turn);
    if (unreserved && state.open(rank)) passes_others = true;
  }
}

}  // namespace maui
