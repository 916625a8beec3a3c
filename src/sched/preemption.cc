#include "sched/preemption.h"

#include <algorithm>
#include <map>

#include "sched/cycle_state.h"
#include "sched/placement/feasibility.h"
#include "sched/rules/chunks.h"
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

/// True if a job that this cycle may still start could be preempted in the next one.
bool any_preemptible_waits(CycleState& state) {
  const auto preemptible = [&](std::size_t rank) {
    if (state.backfill_policy(rank) == BackfillPolicy::preempt) return true;
    return kinds_given_by(state.flags(), state.flags().of(state.job(rank))) != 0;
  };
  for (std::size_t rank = 0; rank < state.jobs(); ++rank)
    if (state.open(rank) && preemptible(rank)) return true;
  return false;
}

}  // namespace

PreemptionStep::PreemptionStep(CycleState& state)
    : state_(state),
      owned_(state.cluster(), state.now()),
      any_(owned_.any() || some_may_preempt(state.cluster(), state.settings(), state.flags())) {}

Victims& PreemptionStep::victims() {
  return victims_ ? *victims_ : victims_.emplace(state_, owned_);
}

unsigned PreemptionStep::victim_kinds(std::size_t rank, bool head) const {
  const Job& job = state_.job(rank);
  if (job.failures.preempts_from > state_.now()) return 0;
  return preemptible_by(state_.flags(), job) | (head ? kTakenByHeads : 0U) |
         (owned_.any() && owned_.owner(job) ? bit(VictimKind::guest) : 0U);
}

/// Takes the shape that costs others least; of several such shapes, the one that ends first.
bool PreemptionStep::start(std::size_t rank, unsigned victim_kinds, Victims::Without without) {
  const auto& shapes = state_.job(rank).alternatives;
  if (shapes.empty())
    return victims().make_room(rank, state_.request(rank), 0, victim_kinds, without);
  const auto shaped = [&](std::size_t i) { return in_shape(state_.request(rank), shapes[i]); };
  std::optional<Victims::Cost> least;
  std::size_t best = 0;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const auto cost = victims().cost_of(rank, shaped(i), victim_kinds, without);
    if (!cost) continue;
    const bool better =
        !least || *cost < *least || (*cost == *least && shapes[i].second < shapes[best].second);
    if (!better) continue;
    least = cost;
    best = i;
  }
  return least && victims().make_room(rank, shaped(best), best, victim_kinds, without);
}

bool PreemptionStep::serve(std::size_t rank) {
  if (!any_) return false;
  const auto kinds = victim_kinds(rank, Heads(state_).include(rank));
  return kinds != 0 && !state_.limits_hold_back(rank) &&
         start(rank, kinds, Victims::Without::in_turn);
}

std::vector<std::size_t> PreemptionStep::reopened() {
  if (!victims_) return {};
  auto ranks = victims_->taken_back();
  returned_.insert(ranks.begin(), ranks.end());
  if (!victims_->some_left() || !state_.throttling().any()) return ranks;
  for (std::size_t rank = 0; rank < state_.jobs(); ++rank) {
    if (state_.reason(rank) != Reason::policy || state_.limits_hold_back(rank)) continue;
    state_.reason(rank) = Reason::not_reached;
    ranks.push_back(rank);
  }
  return ranks;
}

bool PreemptionStep::fits(std::size_t rank) {
  const auto fits_in = [&](const Request& shape) {
    return state_.timeline().fits_now(state_.job(rank), shape).has_value();
  };
  const auto& shapes = state_.job(rank).alternatives;
  if (shapes.empty()) return fits_in(state_.request(rank));
  return std::any_of(shapes.begin(), shapes.end(), [&](const auto& shape) {
    return fits_in(in_shape(state_.request(rank), shape));
  });
}

void PreemptionStep::retry(std::vector<Waiting>& waiting, const std::function<void()>& again) {
  for (std::size_t i = 0; i < waiting.size();) {
    const auto [rank, kinds, without] = waiting[i];
    const bool waits = state_.open(rank) || state_.reason(rank) == Reason::reserved_later;
    // It can start now if it may take the job that has started, or if that one's victims have left
    // more than was needed.
    const auto may_start = [&, rank = rank, kinds = kinds, without = without] {
      return victims().may_take_last_start(rank, kinds) ||
             (without != Victims::Without::not_at_all &&
              (state_.timeline().holds(state_.job(rank).id) || fits(rank)));
    };
    if (!waits || state_.limits_hold_back(rank) || !may_start() || !start(rank, kinds, without)) {
      ++i;
      continue;
    }
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(i));
    again();
    i = 0;
  }
}

void PreemptionStep::serve_those_above(std::size_t rank, unsigned victim_kinds) {
  if (state_.known_not_to_fit(rank) || !fits(rank)) return;
  const ChunkRule chunks(state_.settings().throttling);
  const auto depth = static_cast<std::size_t>(state_.settings().backfill_depth);
  std::size_t count = 0;
  for (std::size_t above = 0; above < rank; ++above) {
    const auto policy = state_.backfill_policy(above);
    if (!state_.open(above) || state_.no_backfill(above) || policy == BackfillPolicy::none ||
        policy == BackfillPolicy::local || state_.limits_hold_back(above))
      continue;
    if (depth > 0 && count++ == depth) return;
    // Preemptors have had their turn.  A small job may have to wait for a large one (BFCHUNKSIZE).
    if (this->victim_kinds(above, false) != 0 || victims().could_take(rank, victim_kinds, above) ||
        (chunks.any() && !chunks.large(state_.request(above))))
      continue;
    state_.start(above, Seconds(0), true);
  }
}

void PreemptionStep::serve_others(const std::function<bool(std::size_t)>& in_turn,
                                  const std::function<void()>& again) {
  if (!any_) return;
  Heads heads(state_);
  std::vector<Waiting> waiting;
  bool passes_others = false;  // BACKFILLPOLICY PREEMPT: a job of higher priority still waits
  // Without victims, preemptors come before suspended jobs, and before jobs that would be
  // backfilled only to be preempted in the next cycle, as owners come before guests.
  const bool before_others =
      owned_.any() || !state_.pins().empty() || any_preemptible_waits(state_);
  const auto end = [&] { return !before_others && victims().none(); };
  const auto serve_one = [&](std::size_t rank) {
    if (!state_.open(rank) && state_.reason(rank) != Reason::reserved_later) return;
    const bool head = heads.include(rank);
    const auto kinds = victim_kinds(rank, head);
    if (kinds == 0) return;
    const auto policy = state_.backfill_policy(rank);
    const bool unreserved = policy == BackfillPolicy::preempt;
    // Out of its turn, a start that takes nothing from anybody is backfill.
    const bool turn = in_turn(rank);
    const bool may_pass = turn || (policy != BackfillPolicy::none && !state_.no_backfill(rank));
    const bool backfilled = !turn || (unreserved && passes_others);
    const auto without = !may_pass    ? Victims::Without::not_at_all
                         : backfilled ? Victims::Without::as_backfill
                                      : Victims::Without::in_turn;
    if (state_.limits_hold_back(rank)) {
      waiting.push_back({rank, kinds, without});
      return;
    }
    if (state_.open(rank) && may_pass && !turn) serve_those_above(rank, kinds);
    if (state_.open(rank) && may_pass && state_.start(rank, Seconds(0), backfilled)) return;
    if (start(rank, kinds, without)) {
      again();
      retry(waiting, again);
      return;
    }
    waiting.push_back({rank, kinds, without});
    if (head) heads.note_waits(rank);
    if (unreserved && state_.open(rank)) passes_others = true;
  };
  returned_.clear();
  for (std::size_t rank = 0; rank < state_.jobs() && !end(); ++rank) {
    serve_one(rank);
    // Jobs whose start has been taken back may take the nodes of others instead.
    while (!returned_.empty()) {
      const std::size_t first = *returned_.begin();
      returned_.erase(returned_.begin());
      if (first <= rank) serve_one(first);
    }
  }
}

void PreemptionStep::serve_new_heads() {
  if (!any_ || state_.plan().starts == 0 || !state_.throttling().any() ||
      !preempts_backfilled(state_.settings()))
    return;
  serve_waiting(Victims::Without::as_backfill,
                [](std::size_t, unsigned, bool head) { return head; });
}

bool PreemptionStep::serve_rest() {
  return serve_waiting(Victims::Without::not_at_all,
                       [this](std::size_t rank, unsigned victim_kinds, bool) {
                         return victims().may_take_planned(rank, victim_kinds);
                       });
}

bool PreemptionStep::serve_waiting(
    Victims::Without without,
    const std::function<bool(std::size_t rank, unsigned victim_kinds, bool head)>& may) {
  bool started = false;
  Heads heads(state_);
  for (std::size_t rank = 0; rank < state_.jobs(); ++rank) {
    const Reason before = state_.reason(rank);
    const bool reserved = before == Reason::reserved_later;
    if (!reserved && before != Reason::not_reached && before != Reason::idle_procs) continue;
    const bool head = heads.include(rank);
    const auto kinds = victim_kinds(rank, head);
    if (kinds == 0 || state_.limits_hold_back(rank)) continue;
    if (may(rank, kinds, head)) {
      if (!reserved) state_.reason(rank) = Reason::not_reached;
      if (start(rank, kinds, without)) {
        started = true;
        continue;
      }
      state_.reason(rank) = before;
    }
    if (head) heads.note_waits(rank);
  }
  for (const auto rank : victims().taken_back()) state_.reason(rank) = Reason::idle_procs;
  return started;
}

void PreemptionStep::settle() {
  if (!any_ || (!victims_ && state_.plan().starts == 0)) return;
  const Strictness level = state_.level();
  if (state_.throttling().soft_matters()) state_.set_level(Strictness::soft);
  do {
    victims().leave_to_victims();
  } while (serve_rest());
  victims().release_kept();
  state_.set_level(level);
}

}  // namespace maui
