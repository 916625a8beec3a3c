#include "sched/learned_backfill.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace maui {

LearnedBackfill::LearnedBackfill(CycleState& state, const std::vector<std::size_t>& ranks)
    : state_(state), places_(ranks.size()) {
  const auto& order = state.plan().order;
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<std::uint32_t> group_of(state.cluster().request_slots(), kNone);
  std::vector<std::size_t> sizes;
  std::vector<std::uint32_t> groups;  // of each of `ranks`
  groups.reserve(ranks.size());
  for (const auto rank : ranks) {
    auto alone = kNone;  // other shapes may fit: such a job has a group of its own
    auto& group = state.has_alternatives(rank) ? alone : group_of[order[rank].request.index()];
    if (group == kNone) {
      group = static_cast<std::uint32_t>(sizes.size());
      sizes.push_back(0);
    }
    ++sizes[group];
    groups.push_back(group);
  }
  std::size_t begin = 0;
  for (const auto size : sizes) {
    groups_.push_back({begin, begin, false});
    begin += size;
  }
  for (std::size_t i = 0; i < ranks.size(); ++i)
    places_[groups_[groups[i]].end++] = place_of(ranks[i]);
}

LearnedBackfill::Place LearnedBackfill::place_of(std::size_t rank) const {
  const auto& ranked = state_.plan().order[rank];
  return {ranked.late ? -std::numeric_limits<double>::infinity()
                      : -state_.cluster().run_times.of(ranked.job).worth,
          static_cast<std::uint32_t>(rank)};
}

bool LearnedBackfill::before(const Place& a, const Place& b) {
  if (a.above != b.above) return a.above < b.above;
  return queue_place(a.rank) < queue_place(b.rank);
}

std::uint32_t LearnedBackfill::queue_place(std::uint32_t rank) {
  if (in_queue_.empty()) {
    std::uint32_t place = 0;
    for (const auto& line : state_.cluster().waiting()) {
      if (line.job.index() >= in_queue_.size()) in_queue_.resize(line.job.index() + 1);
      in_queue_[line.job.index()] = place++;
    }
  }
  return in_queue_[state_.plan().order[rank].job.index()];
}

// The order of most is never asked for: they are put into a heap when the second one is.
void LearnedBackfill::bring_up_best(Group& group) {
  const auto begin = places_.begin() + static_cast<std::ptrdiff_t>(group.begin);
  const auto end = places_.begin() + static_cast<std::ptrdiff_t>(group.end);
  const auto later = [this](const Place& a, const Place& b) { return before(b, a); };
  if (!std::exchange(group.heap, true)) std::make_heap(begin, end, later);
  std::pop_heap(begin, end, later);
}

void LearnedBackfill::give_up(const Group& group) {
  for (auto i = group.begin; i < group.end; ++i)
    if (auto& reason = state_.reason(places_[i].rank); reason != Reason::policy)
      reason = Reason::idle_procs;
}

void LearnedBackfill::fill(const std::function<void(std::size_t rank)>& attempt) {
  for (Group& group : groups_) {
    const auto begin = places_.begin() + static_cast<std::ptrdiff_t>(group.begin);
    const auto end = places_.begin() + static_cast<std::ptrdiff_t>(group.end);
    std::iter_swap(end - 1, std::min_element(begin, end, [this](const Place& a, const Place& b) {
                     return before(a, b);
                   }));
  }
  const auto later = [this](const Group& a, const Group& b) {
    return before(places_[b.end - 1], places_[a.end - 1]);
  };
  std::make_heap(groups_.begin(), groups_.end(), later);
  while (!groups_.empty() && state_.anything_free()) {
    std::pop_heap(groups_.begin(), groups_.end(), later);
    Group& group = groups_.back();
    const auto rank = places_[--group.end].rank;
    attempt(rank);
    if (group.begin == group.end || state_.fits_for_nobody(rank)) {
      give_up(group);
      groups_.pop_back();
      continue;
    }
    bring_up_best(group);
    std::push_heap(groups_.begin(), groups_.end(), later);
  }
}

}  // namespace maui
