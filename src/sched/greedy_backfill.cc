#include "sched/greedy_backfill.h"

#include <algorithm>
#include <utility>

#include "sched/backfill_value.h"

namespace maui {

GreedyBackfill::GreedyBackfill(CycleState& state, std::vector<std::size_t> ranks,
                               LeastFree least_free)
    : state_(state), least_free_(std::move(least_free)) {
  best_first(ranks, [&](std::size_t rank) { return backfill_value(state_, rank); });
  for (const auto rank : ranks)
    if (state_.job(rank).alternatives.empty()) shape_of(rank).ranks.push_back(rank);
  double rest = 0, density = 0;
  for (auto shape = shapes_.rbegin(); shape != shapes_.rend(); ++shape) {
    const auto procs = static_cast<double>(shape->procs);
    rest += shape->value * static_cast<double>(shape->ranks.size());
    density = std::max(density, shape->procs > 0 ? shape->value / procs : kForFree);
    shape->rest = rest;
    shape->density = density;
  }
}

std::vector<std::size_t> GreedyBackfill::best() {
  search(0, 0.0, state_.free_procs());
  return best_;
}

GreedyBackfill::Shape& GreedyBackfill::shape_of(std::size_t rank) {
  const auto user = state_.timeline().users_matter() ? state_.job(rank).credentials.user : UserId{};
  const auto& ranked = state_.plan().order[rank];
  // Limits tell jobs of different owners apart.
  const auto owner = state_.throttling().any() ? ranked.credentials : CredentialsId{};
  const std::tuple key{ranked.request, state_.access_now(rank), user, owner};
  const auto [at, fresh] = index_.try_emplace(key, shapes_.size());
  if (fresh) {
    auto& shape = shapes_.emplace_back();
    shape.value = backfill_value(state_, rank);
    shape.procs = state_.request(rank).total_procs();
  }
  return shapes_[at->second];
}

// Returns an upper bound for the value of any set of jobs from this shape on.
double GreedyBackfill::bound(const Shape& from, std::int64_t left) {
  if (from.density >= kForFree) return from.rest;
  return std::min(from.rest, from.density * static_cast<double>(left));
}

void GreedyBackfill::search(std::size_t next, double sum, std::int64_t left) {
  if (sum > best_sum_) {
    best_sum_ = sum;
    best_ = chosen_;
  }
  for (; next < shapes_.size() && trials_ > 0; ++next) {
    auto& shape = shapes_[next];
    if (sum + bound(shape, left) <= best_sum_) return;
    if (shape.procs > left || shape.chosen == shape.ranks.size()) continue;
    const auto rank = shape.ranks[shape.chosen];
    const auto& job = state_.job(rank);
    const auto& request = state_.request(rank);
    --trials_;
    const auto slot = state_.timeline().fits_now(job, request, least_free_(rank));
    if (!slot || !state_.within_limits(job, request, slot->placement)) continue;
    state_.begin_trial(job, request, slot->placement);
    ++shape.chosen;
    chosen_.push_back(rank);
    search(next, sum + shape.value, left - shape.procs);
    chosen_.pop_back();
    --shape.chosen;
    state_.end_trial(job, request, slot->placement);
  }
}

}  // namespace maui
