// The value of a job for backfill by BACKFILLMETRIC (guide 8.2), and the order that follows from
// it.
#pragma once
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "sched/cycle_state.h"

namespace maui {

/// Returns the job's processors, time or both, as BACKFILLMETRIC says.
double backfill_value(const CycleState& state, std::size_t rank);

/// Sorts by a key, descending; ties are broken by priority.
template <class Key>
void best_first(std::vector<std::size_t>& ranks, Key key) {
  std::vector<std::pair<double, std::size_t>> keyed;
  keyed.reserve(ranks.size());
  for (const auto rank : ranks) keyed.emplace_back(-key(rank), rank);
  std::sort(keyed.begin(), keyed.end());
  for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i] = keyed[i].second;
}

}  // namespace maui
