#include "model/node_runs.h"

#include <algorithm>
#include <cassert>

namespace maui {
namespace {

// With more runs than this, merges them in one pass instead of adding them one by one.
constexpr std::size_t kFewRuns = 8;

// Calls visit(run) for each run that the two sets have in common.
template <class Visit>
void each_common(std::span<const NodeRun> a, std::span<const NodeRun> b, Visit visit) {
  if (a.size() > b.size()) std::swap(a, b);
  if (a.empty()) return;
  auto other = std::lower_bound(b.begin(), b.end(), a.front().first,
                                [](NodeRun run, std::uint32_t node) { return run.end <= node; });
  for (const auto run : a) {
    while (other != b.end() && other->end <= run.first) ++other;
    for (auto at = other; at != b.end() && at->first < run.end; ++at)
      visit(NodeRun{std::max(run.first, at->first), std::min(run.end, at->end)});
  }
}

}  // namespace

bool NodeRuns::contains(std::uint32_t node) const {
  const auto after =
      std::upper_bound(runs_.begin(), runs_.end(), node,
                       [](std::uint32_t wanted, NodeRun run) { return wanted < run.first; });
  return after != runs_.begin() && node < std::prev(after)->end;
}

NodeRun NodeRuns::run_of(std::uint32_t node) const {
  assert(contains(node));
  return *std::prev(
      std::upper_bound(runs_.begin(), runs_.end(), node,
                       [](std::uint32_t wanted, NodeRun run) { return wanted < run.first; }));
}

void NodeRuns::clear() {
  runs_.clear();
  size_ = 0;
}

void NodeRuns::add(NodeRun run) {
  if (run.first >= run.end) return;
  if (runs_.empty() || runs_.back().end < run.first) {  // most callers add in ascending order
    runs_.push_back(run);
    size_ += run.size();
    return;
  }
  if (runs_.back().end == run.first) {
    runs_.back().end = run.end;
    size_ += run.size();
    return;
  }
  // Joins the run with all runs that it overlaps or adjoins.
  const auto from =
      std::lower_bound(runs_.begin(), runs_.end(), run.first,
                       [](NodeRun other, std::uint32_t node) { return other.end < node; });
  auto to = from;
  for (; to != runs_.end() && to->first <= run.end; ++to) {
    run.first = std::min(run.first, to->first);
    run.end = std::max(run.end, to->end);
    size_ -= to->size();
  }
  size_ += run.size();
  if (from == to) {
    runs_.insert(from, run);
  } else {
    *from = run;
    runs_.erase(from + 1, to);
  }
}

void NodeRuns::add(const NodeRuns& others) {
  if (runs_.empty()) {
    *this = others;
    return;
  }
  if (others.runs_.size() <= kFewRuns) {
    for (const auto run : others.runs_) add(run);
    return;
  }
  const auto [from, to] = between(others.runs_.front().first, others.runs_.back().end);
  Runs merged;
  merged.reserve(static_cast<std::size_t>(to - from) + others.runs_.size());
  auto a = from;
  auto b = others.runs_.begin();
  while (a != to || b != others.runs_.end()) {
    const bool mine = b == others.runs_.end() || (a != to && a->first < b->first);
    const auto run = mine ? *a++ : *b++;
    if (!merged.empty() && run.first <= merged.back().end)
      merged.back().end = std::max(merged.back().end, run.end);
    else
      merged.push_back(run);
  }
  replace(from, to, merged);
}

void NodeRuns::remove(NodeRun run) {
  if (run.first >= run.end) return;
  auto at = std::lower_bound(runs_.begin(), runs_.end(), run.first,
                             [](NodeRun other, std::uint32_t node) { return other.end <= node; });
  if (at != runs_.end() && at->first < run.first && run.end < at->end) {  // cuts out of the middle
    const NodeRun rest{run.end, at->end};
    at->end = run.first;
    runs_.insert(at + 1, rest);
    size_ -= run.size();
    return;
  }
  if (at != runs_.end() && at->first < run.first) {
    size_ -= static_cast<int>(at->end - run.first);
    at->end = run.first;
    ++at;
  }
  auto to = at;
  for (; to != runs_.end() && to->end <= run.end; ++to) size_ -= to->size();
  if (to != runs_.end() && to->first < run.end) {
    size_ -= static_cast<int>(run.end - to->first);
    to->first = run.end;
  }
  runs_.erase(at, to);
}

void NodeRuns::remove(const NodeRuns& others) {
  if (others.runs_.size() <= kFewRuns) {
    for (const auto run : others.runs_) remove(run);
    return;
  }
  if (runs_.empty()) return;
  const auto [from, to] = between(others.runs_.front().first, others.runs_.back().end);
  Runs left;
  left.reserve(static_cast<std::size_t>(to - from) + others.runs_.size());
  const auto keep = [&](NodeRun run) {
    if (run.first < run.end) left.push_back(run);
  };
  auto other = others.runs_.begin();
  for (auto at = from; at != to; ++at) {
    auto run = *at;
    while (other != others.runs_.end() && other->end <= run.first) ++other;
    for (; other != others.runs_.end() && other->first < run.end; ++other) {
      keep({run.first, other->first});
      run.first = other->end;
      if (other->end >= run.end) break;
    }
    keep(run);
  }
  replace(from, to, left);
}

std::pair<NodeRuns::Runs::iterator, NodeRuns::Runs::iterator> NodeRuns::between(std::uint32_t first,
                                                                                std::uint32_t end) {
  const auto from =
      std::lower_bound(runs_.begin(), runs_.end(), first,
                       [](NodeRun run, std::uint32_t node) { return run.end < node; });
  const auto to = std::upper_bound(
      from, runs_.end(), end, [](std::uint32_t node, NodeRun run) { return node < run.first; });
  return {from, to};
}

void NodeRuns::replace(Runs::iterator from, Runs::iterator to, const Runs& with) {
  for (auto at = from; at != to; ++at) size_ -= at->size();
  for (const auto run : with) size_ += run.size();
  const auto shared = std::min(to - from, static_cast<std::ptrdiff_t>(with.size()));
  const auto rest = with.begin() + shared;
  const auto after = std::copy(with.begin(), rest, from);
  if (after == to)
    runs_.insert(after, rest, with.end());
  else
    runs_.erase(after, to);
}

NodeRuns NodeRuns::common(const NodeRuns& others) const {
  NodeRuns both;
  each_common(runs(), others.runs(), [&](NodeRun run) {
    both.runs_.push_back(run);
    both.size_ += run.size();
  });
  return both;
}

int NodeRuns::common_size(const NodeRuns& others) const {
  int size = 0;
  each_common(runs(), others.runs(), [&](NodeRun run) { size += run.size(); });
  return size;
}

NodeRuns NodeRuns::lowest(int count) const {
  assert(count <= size_);
  NodeRuns some;
  for (auto run = runs_.begin(); some.size_ < count; ++run) {
    const auto size = static_cast<std::uint32_t>(std::min(run->size(), count - some.size_));
    some.runs_.push_back({run->first, run->first + size});
    some.size_ += static_cast<int>(size);
  }
  return some;
}

NodeRuns NodeRuns::highest(int count) const {
  assert(count <= size_);
  NodeRuns some = *this;
  int over = size_ - count;
  auto run = some.runs_.begin();
  for (; over > 0 && over >= run->size(); ++run) over -= run->size();
  if (over > 0) run->first += static_cast<std::uint32_t>(over);
  some.runs_.erase(some.runs_.begin(), run);
  some.size_ = count;
  return some;
}

}  // namespace maui
