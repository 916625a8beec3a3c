// Backfill (paper 4.2, guide 8.2): starts lower-priority jobs on the remaining resources without
// delaying any reservation.
//
// A backfill window is a set of nodes that stay free for the same time.  The windows are visited in
// the order of BFWINDOWORDER, and each is filled, in the order of BACKFILLPOLICY, with jobs that
// end before the window does.
#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/sorted.h"
#include "sched/backfill_value.h"
#include "sched/cycle_state.h"
#include "sched/greedy_backfill.h"
#include "sched/learned_backfill.h"
#include "sched/placement/variants.h"
#include "sched/rules/chunks.h"

namespace maui {
namespace {

// Which jobs BFCHUNKSIZE excludes from backfill.  Must be called for all jobs in priority order.
class Chunks {
 public:
  explicit Chunks(CycleState& state) : state_(state), rule_(state.settings().throttling) {}

  bool any() const { return rule_.any(); }
  bool waits_for_others(std::size_t rank) {
    if (!any()) return false;
    if (!rule_.large(state_.request(rank))) {
      if (!saving_ || !state_.open(rank)) return false;
      state_.reason(rank) = Reason::chunk;
      return true;
    }
    const bool waits = !state_.limits_hold_back(rank) &&
                       (state_.open(rank) || state_.reason(rank) == Reason::reserved_later);
    saving_ = saving_ || (waits && state_.now() < rule_.saves_until(state_.job(rank)));
    return false;
  }

 private:
  CycleState& state_;
  ChunkRule rule_;
  bool saving_ = false;
};

// Returns the remaining jobs, highest priority first, at most BACKFILLDEPTH of them.
const std::vector<std::size_t>& candidates(CycleState& state) {
  auto& found = state.candidates();
  const std::size_t jobs = state.jobs();
  found.resize(jobs);  // writing into it is quicker than push_back(): the queue is long
  std::size_t count = 0;
  const auto depth = static_cast<std::size_t>(state.settings().backfill_depth);
  Chunks chunks(state);
  const bool by_request = depth == 0 && !chunks.any() && state.requests_decide();
  const auto& order = state.plan().order;
  std::vector<CycleState::Fit> fits(by_request ? state.cluster().request_slots() : 0);
  for (std::size_t rank = 0; rank < jobs; ++rank) {
    if (by_request && !order[rank].special && state.open(rank)) {
      if (state.held_by_limits(rank)) continue;
      auto& fit = fits[order[rank].request.index()];
      if (fit == CycleState::Fit::unknown) fit = state.fit_of(order[rank].request);
      if (fit != CycleState::Fit::unknown) {
        // Without branches: no processor predicts which of many requests fit.
        constexpr Reason kReasons[] = {Reason::none, Reason::idle_procs, Reason::not_reached};
        state.reason(rank) = kReasons[static_cast<std::size_t>(fit)];
        found[count] = rank;
        count += static_cast<std::size_t>(fit == CycleState::Fit::maybe);
        continue;
      }
    }
    if (chunks.waits_for_others(rank)) continue;
    if (!state.open(rank)) continue;
    if (state.no_backfill(rank)) continue;
    if (state.backfill_policy(rank) == BackfillPolicy::none) continue;
    if (state.held_by_limits(rank)) continue;
    if (depth > 0 && count == depth) {
      state.reason(rank) = Reason::backfill_depth;
      continue;
    }
    state.reason(rank) = Reason::not_reached;
    if (state.known_not_to_fit(rank) || state.finds_no_room(rank)) {
      state.reason(rank) = Reason::idle_procs;
      if (depth == 0) continue;
    }
    found[count++] = rank;
  }
  found.resize(count);
  return found;
}

struct Window {
  Seconds length{0};   // for which its nodes stay free; 0: for each job's own stay
  Seconds shorter{0};  // length of the next shorter window
};

/// For most jobs the Job itself need not be read.
Seconds shortest_stay(const CycleState& state, std::size_t rank) {
  return state.has_alternatives(rank) ? shortest_stay(state.cluster(), state.job(rank))
                                      : shortest_stay(state.cluster(), state.request(rank));
}

/// True if the job stays for different times in different shapes or on different nodes.
bool stays_differ(const CycleState& state, std::size_t rank) {
  return state.has_alternatives(rank) || state.request(rank).by_speed;
}

/// Returns how long the nodes for a job must stay free.  In the shortest window that is long enough
/// for it, that is its own stay, and reservations may be packed anew for it.
Seconds least_free(const CycleState& state, std::size_t rank, const Window& window) {
  const bool shortest = !stays_differ(state, rank) && shortest_stay(state, rank) > window.shorter;
  return shortest ? Seconds(0) : window.length;
}

void try_to_start(CycleState& state, std::size_t rank, const Window& window) {
  if (state.reason(rank) == Reason::none || state.reason(rank) == Reason::policy) return;
  // Most jobs are like one that has not fitted.
  const bool nowhere = state.fits_for_nobody(rank) && !state.has_alternatives(rank);
  if (nowhere || !state.start(rank, least_free(state, rank, window), true))
    if (const Reason why = state.reason(rank);
        why != Reason::policy && why != Reason::next_iteration)
      state.reason(rank) = Reason::idle_procs;
}

void fill_in_order(CycleState& state, const std::vector<std::size_t>& ranks, const Window& window) {
  for (const auto rank : ranks) {
    if (!state.anything_free()) return;
    try_to_start(state, rank, window);
  }
}

// LOCAL: selects the jobs that the site's program names, in its order; all jobs if the program has
// not answered.
void in_local_order(const CycleState& state, std::vector<std::size_t>& ranks) {
  const auto& named = state.cluster().local_words.backfill;
  if (!named) return;
  std::unordered_map<JobId, std::size_t> rank_of;
  for (const auto rank : ranks) rank_of.emplace(state.job(rank).id, rank);
  ranks.clear();
  for (const JobId job : *named)
    if (const auto at = rank_of.find(job); at != rank_of.end()) ranks.push_back(at->second);
}

// GREEDY: selects the jobs that together fill the window best.
std::vector<std::size_t> best_set(CycleState& state, const std::vector<std::size_t>& ranks,
                                  const Window& window) {
  return GreedyBackfill(state, ranks,
                        [&](std::size_t rank) { return least_free(state, rank, window); })
      .best();
}

void fill_by(BackfillPolicy policy, CycleState& state, std::vector<std::size_t> ranks,
             const Window& window) {
  const auto& settings = state.settings();
  const auto by_metric = [&](std::size_t rank) { return backfill_value(state, rank); };
  const bool learned = settings.learning.decides() && policy != BackfillPolicy::none &&
                       policy != BackfillPolicy::preempt && policy != BackfillPolicy::local;
  if (learned)
    return LearnedBackfill(state, ranks).fill([&](std::size_t rank) {
      try_to_start(state, rank, window);
    });
  switch (policy) {
    case BackfillPolicy::none:
      return;
    case BackfillPolicy::first_fit:
    case BackfillPolicy::preempt:
      break;
    case BackfillPolicy::best_fit:
      best_first(ranks, by_metric);
      break;
    case BackfillPolicy::greedy:
      std::erase_if(ranks, [&](std::size_t rank) { return state.known_not_to_fit(rank); });
      fill_in_order(state, best_set(state, ranks, window), window);
      best_first(ranks, by_metric);
      break;  // jobs that the bounded search left out follow, best first
    case BackfillPolicy::local:
      in_local_order(state, ranks);
      break;
    case BackfillPolicy::shortest_first:
      best_first(ranks, [&](std::size_t rank) {
        return -static_cast<double>(state.request(rank).limit.raw());
      });
      break;
  }
  fill_in_order(state, ranks, window);
}

// Jobs of partitions with a backfill policy of their own are chosen by that policy.
void fill(CycleState& state, std::vector<std::size_t> ranks, const Window& window) {
  if (state.settings().partition_policies.empty())
    return fill_by(state.settings().backfill, state, std::move(ranks), window);
  std::vector<std::pair<BackfillPolicy, std::vector<std::size_t>>> by_policy;
  for (const auto rank : ranks) {
    const auto policy = state.backfill_policy(rank);
    auto at = std::find_if(by_policy.begin(), by_policy.end(),
                           [policy](const auto& group) { return group.first == policy; });
    if (at == by_policy.end()) at = by_policy.insert(at, {policy, {}});
    at->second.push_back(rank);
  }
  for (auto& [policy, group] : by_policy) fill_by(policy, state, std::move(group), window);
}

// Returns the lengths of the windows in the order in which they are visited: windows of all jobs,
// and windows of jobs that may use some reservation.
std::vector<Seconds> windows(CycleState& state, const std::vector<std::size_t>& ranks) {
  std::vector<AccessSet> sets{0};
  std::vector<bool> known{true};
  for (std::size_t i = 0; state.timeline().access_sets().any() && i < ranks.size(); ++i) {
    const auto set = state.access_now(ranks[i]);
    if (set >= known.size()) known.resize(set + 1, false);
    if (!known[set]) sets.push_back(set);
    known[set] = true;
  }
  std::vector<Seconds> lengths;
  for (const auto set : sets)
    for (const auto end : state.timeline().window_ends(set)) lengths.push_back(end - state.now());
  sort_unique(lengths);
  lengths.push_back(kUnlimited);  // nodes without any reservation
  if (state.settings().window_order == WindowOrder::longest)
    std::reverse(lengths.begin(), lengths.end());
  return lengths;
}

void fill_longest_first(CycleState& state, const std::vector<std::size_t>& left,
                        const std::vector<Seconds>& lengths) {
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    std::vector<std::size_t> fitting;
    for (const auto rank : left)
      if (state.reason(rank) != Reason::none && shortest_stay(state, rank) <= lengths[i])
        fitting.push_back(rank);
    state.forget_misfits();  // a shorter window has more nodes, so jobs may fit now
    const Seconds shorter = i + 1 < lengths.size() ? lengths[i + 1] : Seconds(0);
    fill(state, std::move(fitting), {lengths[i], shorter});
  }
}

// A longer window has fewer nodes: each job is tried once, in the first that is long enough.  A job
// with stays of different lengths is tried again in longer ones.
void fill_widest_first(CycleState& state, const std::vector<std::size_t>& left,
                       const std::vector<Seconds>& lengths) {
  std::vector<std::vector<std::size_t>> fitting(lengths.size());
  bool again = false;
  const auto first_window = [&](std::size_t rank) {
    const auto first = std::lower_bound(lengths.begin(), lengths.end(), shortest_stay(state, rank));
    return static_cast<std::size_t>(first - lengths.begin());
  };
  // Most jobs share their requests; kUnknown: the window is not known, or stays differ.
  constexpr std::size_t kUnknown = ~std::size_t{0};
  std::vector<std::size_t> firsts(state.cluster().request_slots(), kUnknown);
  for (const auto rank : left) {
    const bool special = state.has_alternatives(rank);
    auto& known = firsts[state.plan().order[rank].request.index()];
    if (known != kUnknown && !special) {
      fitting[known].push_back(rank);
      continue;
    }
    const bool differ = stays_differ(state, rank);
    const std::size_t first = first_window(rank);
    const std::size_t end = differ ? lengths.size() : std::min(first + 1, lengths.size());
    for (std::size_t at = first; at < end; ++at) fitting[at].push_back(rank);
    again = again || differ;
    if (!differ && first < end) known = first;
  }
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (fitting[i].empty()) continue;
    if (again) state.forget_misfits();  // those of a shorter window are not those of this one
    fill(state, std::move(fitting[i]), {lengths[i], i > 0 ? lengths[i - 1] : Seconds(0)});
  }
}

}  // namespace

void backfill(CycleState& state) {
  if (!backfills(state.settings()) || !state.anything_free()) return;
  const auto& left = candidates(state);
  if (left.empty()) return;
  // The order of BACKFILLPROGRAM, or of learned run times, covers all jobs.
  if (state.settings().window_order == WindowOrder::priority ||
      state.settings().learning.decides() || state.settings().backfill == BackfillPolicy::local) {
    fill(state, left, {});
    return;
  }
  const auto lengths = windows(state, left);
  if (state.settings().window_order == WindowOrder::longest)
    fill_longest_first(state, left, lengths);
  else
    fill_widest_first(state, left, lengths);
}

}  // namespace maui
