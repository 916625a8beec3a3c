// Backfill (paper 4.2, guide 8.2): lower-priority jobs start in what is left,
// as long as they delay no reservation.
//
// A backfill window is a set of nodes that stay free for one length of time.
// The windows are visited in the order of BFWINDOWORDER, and each is filled in
// the order of BACKFILLPOLICY with jobs that end before it does.
#include <algorithm>
#include <numeric>

#include "sched/chunks.h"
#include "sched/cycle_state.h"
#include "sched/priority.h"

namespace maui {
namespace {

double metric(BackfillMetric which, const Cluster& cluster, const Request& request) {
  const double procs = request.total_procs();
  const auto seconds = static_cast<double>(request.limit.raw());
  switch (which) {
    case BackfillMetric::procs:
      return procs;
    case BackfillMetric::proc_seconds:
      return procs * seconds;
    case BackfillMetric::seconds:
      return seconds;
    case BackfillMetric::pe:
      return processor_equivalents(cluster, request);
    case BackfillMetric::pe_seconds:
      return processor_equivalents(cluster, request) * seconds;
  }
  return 0;
}

// Which jobs BFCHUNKSIZE keeps from being backfilled.  To be asked of all, in order of priority.
class Chunks {
 public:
  explicit Chunks(CycleState& state) : state_(state), rule_(state.settings().throttling) {}

  bool waits_for_others(std::size_t rank) {
    if (!rule_.any()) return false;
    if (!rule_.large(state_.request(rank))) {
      if (!saving_ || !state_.open(rank)) return false;
      state_.reason(rank) = Reason::chunk;
      return true;
    }
    const bool waits = state_.open(rank) || state_.reason(rank) == Reason::reserved_later;
    saving_ = saving_ || (waits && state_.now() < rule_.saves_until(state_.job(rank)));
    return false;
  }

 private:
  CycleState& state_;
  ChunkRule rule_;
  bool saving_ = false;
};

// The jobs that are left, highest priority first, no more than BACKFILLDEPTH of them.
const std::vector<std::size_t>& candidates(CycleState& state) {
  auto& found = state.candidates();
  found.clear();
  const auto depth = static_cast<std::size_t>(state.settings().backfill_depth);
  Chunks chunks(state);
  const bool may_not = state.flags().given(JobFlag::no_backfill);
  for (std::size_t rank = 0; rank < state.jobs(); ++rank) {
    if (chunks.waits_for_others(rank)) continue;
    if (!state.open(rank)) continue;
    if (may_not && state.no_backfill(rank)) continue;
    if (state.held_by_limits(rank)) continue;
    if (depth > 0 && found.size() == depth) {
      state.reason(rank) = Reason::backfill_depth;
      continue;
    }
    state.reason(rank) = Reason::not_reached;
    if (state.known_not_to_fit(rank)) {
      state.reason(rank) = Reason::idle_procs;
      if (depth == 0) continue;
    }
    found.push_back(rank);
  }
  return found;
}

void fill_in_order(CycleState& state, const std::vector<std::size_t>& ranks, Seconds window) {
  for (const auto rank : ranks) {
    if (!state.anything_free()) return;
    if (state.reason(rank) == Reason::none || state.reason(rank) == Reason::policy) continue;
    if (!state.start(rank, window, true) && state.reason(rank) != Reason::policy)
      state.reason(rank) = Reason::idle_procs;
  }
}

// Sorts by a key, descending; priority decides among equals.
template <class Key>
void best_first(std::vector<std::size_t>& ranks, Key key) {
  std::vector<std::pair<double, std::size_t>> keyed;
  keyed.reserve(ranks.size());
  for (const auto rank : ranks) keyed.emplace_back(-key(rank), rank);
  std::sort(keyed.begin(), keyed.end());
  for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i] = keyed[i].second;
}

// GREEDY: which of the candidates together fill the window best by the metric?  Looks at sets of
// jobs depth first, each branch bounded by what the processors that are left could hold at best,
// and gives up after a fixed number of trial placements.
class Greedy {
 public:
  Greedy(CycleState& state, std::vector<std::size_t> ranks, Seconds window)
      : state_(state), ranks_(std::move(ranks)), window_(window) {}

  std::vector<std::size_t> best() {
    for (const auto rank : ranks_)
      value_.push_back(
          metric(state_.settings().backfill_metric, state_.cluster(), state_.request(rank)));
    rest_.assign(ranks_.size() + 1, 0.0);
    for (std::size_t i = ranks_.size(); i-- > 0;) rest_[i] = rest_[i + 1] + value_[i];
    search(0, 0.0);
    return best_;
  }

 private:
  void search(std::size_t next, double sum) {
    if (sum > best_sum_) {
      best_sum_ = sum;
      best_ = chosen_;
    }
    if (next == ranks_.size() || trials_ == 0 || sum + rest_[next] <= best_sum_) return;
    const auto rank = ranks_[next];
    const auto& job = state_.job(rank);
    --trials_;
    auto slot = job.alternatives.empty()
                    ? state_.timeline().fits_now(job, state_.request(rank), window_)
                    : std::nullopt;
    if (slot) {
      state_.timeline().hold(job, state_.request(rank), slot->placement, state_.now());
      chosen_.push_back(rank);
      search(next + 1, sum + value_[next]);
      chosen_.pop_back();
      state_.timeline().release(job.id, slot->placement);
    }
    search(next + 1, sum);
  }

  static constexpr int kMostTrials = 2000;
  CycleState& state_;
  std::vector<std::size_t> ranks_;
  Seconds window_;
  std::vector<double> value_, rest_;
  std::vector<std::size_t> chosen_, best_;
  double best_sum_ = 0;
  int trials_ = kMostTrials;
};

void fill(CycleState& state, std::vector<std::size_t> ranks, Seconds window) {
  const auto& settings = state.settings();
  const auto by_metric = [&](std::size_t rank) {
    return metric(settings.backfill_metric, state.cluster(), state.request(rank));
  };
  switch (settings.backfill) {
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
      best_first(ranks, by_metric);
      fill_in_order(state, Greedy(state, ranks, window).best(), window);
      break;  // what its bounded search left over goes in as it comes
    case BackfillPolicy::shortest_first:
      best_first(ranks, [&](std::size_t rank) {
        return -static_cast<double>(state.request(rank).limit.raw());
      });
      break;
  }
  fill_in_order(state, ranks, window);
}

// The lengths of the windows, in the order in which they are to be visited: those of everybody, and
// those that only jobs see which may use a reservation.
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
  std::sort(lengths.begin(), lengths.end());
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  lengths.push_back(kUnlimited);  // nodes that nobody has reserved
  if (state.settings().window_order == WindowOrder::longest)
    std::reverse(lengths.begin(), lengths.end());
  return lengths;
}

void fill_longest_first(CycleState& state, const std::vector<std::size_t>& left,
                        const std::vector<Seconds>& lengths) {
  for (const auto window : lengths) {
    std::vector<std::size_t> fitting;
    for (const auto rank : left)
      if (state.reason(rank) != Reason::none && state.request(rank).limit <= window)
        fitting.push_back(rank);
    state.forget_misfits();  // a shorter window has more nodes: what did not fit there may fit here
    fill(state, std::move(fitting), window);
  }
}

// A longer window has fewer nodes: each job is tried once, in the first that is long enough.
void fill_widest_first(CycleState& state, const std::vector<std::size_t>& left,
                       const std::vector<Seconds>& lengths) {
  std::vector<std::vector<std::size_t>> fitting(lengths.size());
  for (const auto rank : left) {
    const auto first = std::lower_bound(lengths.begin(), lengths.end(), state.request(rank).limit);
    if (first != lengths.end())
      fitting[static_cast<std::size_t>(first - lengths.begin())].push_back(rank);
  }
  for (std::size_t i = 0; i < lengths.size(); ++i)
    if (!fitting[i].empty()) fill(state, std::move(fitting[i]), lengths[i]);
}

}  // namespace

void backfill(CycleState& state) {
  if (state.settings().backfill == BackfillPolicy::none || !state.anything_free()) return;
  const auto& left = candidates(state);
  if (left.empty()) return;
  if (state.settings().window_order == WindowOrder::priority) {
    fill(state, left, Seconds(0));
    return;
  }
  const auto lengths = windows(state, left);
  if (state.settings().window_order == WindowOrder::longest)
    fill_longest_first(state, left, lengths);
  else
    fill_widest_first(state, left, lengths);
}

}  // namespace maui
