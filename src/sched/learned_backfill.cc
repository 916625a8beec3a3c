#include "sched/learned_backfill.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace maui {

LearnedBackfill::LearnedBackfill(CycleState& state, const std::vector<std::size_t>& ranks)
    : state_(state), ranks_(ranks), group_of_(ranks.size()) {
  const auto& order = state.plan().order;
  std::vector<std::uint32_t> groups(state.cluster().request_slots(), kNone);  // by request
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    auto alone = kNone;  // other shapes may fit: such a job has a group of its own
    auto& group =
        state.has_alternatives(ranks[i]) ? alone : groups[order[ranks[i]].request.index()];
    const Place place = place_of(i);
    if (group == kNone) {
      group = static_cast<std::uint32_t>(groups_.size());
      groups_.push_back({place, 1});
    } else {
      Group& known = groups_[group];
      if (before(place, known.best)) known.best = place;
      ++known.left;
    }
    group_of_[i] = group;
  }
}

LearnedBackfill::Place LearnedBackfill::place_of(std::size_t index) const {
  const auto& ranked = state_.plan().order[ranks_[index]];
  return {ranked.late ? -std::numeric_limits<double>::infinity()
                      : -state_.cluster().run_times.worth(ranked.job),
          static_cast<std::uint32_t>(index)};
}

// Jobs of equal worth keep the order of the queue.
bool LearnedBackfill::before(const Place& a, const Place& b) const {
  if (a.above != b.above) return a.above < b.above;
  const Job& job_a = state_.cluster().job(ranked(a).job);
  const Job& job_b = state_.cluster().job(ranked(b).job);
  return std::tie(job_a.queued, job_a.arrival) < std::tie(job_b.queued, job_b.arrival);
}

void LearnedBackfill::link_members() {
  first_.assign(groups_.size(), kNone);
  next_of_.resize(group_of_.size());
  for (std::size_t i = 0; i < group_of_.size(); ++i)
    next_of_[i] = std::exchange(first_[group_of_[i]], static_cast<std::uint32_t>(i));
}

// Sorts a group only on demand, since most groups never need it.
void LearnedBackfill::bring_up_next(std::uint32_t group) {
  Group& of = groups_[group];
  const auto later = [this](const Place& a, const Place& b) { return before(b, a); };
  if (!std::exchange(of.ordered, true)) {
    if (first_.empty()) link_members();
    of.others.reserve(of.left);
    for (auto i = first_[group]; i != kNone; i = next_of_[i])
      if (i != of.best.index) of.others.push_back(place_of(i));
    std::make_heap(of.others.begin(), of.others.end(), later);
  }
  std::pop_heap(of.others.begin(), of.others.end(), later);
  of.best = of.others.back();
  of.others.pop_back();
}

void LearnedBackfill::note_misfits() {
  for (std::size_t i = 0; i < ranks_.size(); ++i)
    if (groups_[group_of_[i]].fits_nowhere && state_.open(ranks_[i]))
      state_.reason(ranks_[i]) = Reason::idle_procs;
}

void LearnedBackfill::fill(const std::function<void(std::size_t rank)>& attempt) {
  std::vector<std::uint32_t> turns(groups_.size());
  for (std::size_t i = 0; i < turns.size(); ++i) turns[i] = static_cast<std::uint32_t>(i);
  const auto later = [this](std::uint32_t a, std::uint32_t b) {
    return before(groups_[b].best, groups_[a].best);
  };
  std::make_heap(turns.begin(), turns.end(), later);
  while (!turns.empty() && state_.anything_free()) {
    std::pop_heap(turns.begin(), turns.end(), later);
    Group& group = groups_[turns.back()];
    const auto rank = ranks_[group.best.index];
    attempt(rank);
    --group.left;
    group.fits_nowhere = state_.fits_for_nobody(rank);
    if (group.left == 0 || group.fits_nowhere) {
      turns.pop_back();
      continue;
    }
    bring_up_next(turns.back());
    std::push_heap(turns.begin(), turns.end(), later);
  }
  note_misfits();
}

}  // namespace maui
