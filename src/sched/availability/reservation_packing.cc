// Packs priority reservations on the nodes anew.
//
// On nodes of one kind, where a task takes one processor and nothing else that could run out,
// processors are interchangeable: if enough of them are free at every time of a time frame, then
// some packing of all reservations on particular nodes leaves the same processors free
// throughout.  Packing the reservations in order of their starts finds it.  So a job never waits
// only because reservations are scattered over the nodes.
#include <algorithm>
#include <iterator>
#include <vector>

#include "sched/availability/timeline.h"
#include "sched/placement/feasibility.h"

namespace maui {
namespace {

using FreeProcs = std::vector<std::pair<Time, long long>>;

/// Returns the first time in [from, not_after] with so many free processors for that duration.
std::optional<Time> first_with(const FreeProcs& free, int procs, Seconds length, Time from,
                               Time not_after) {
  auto level = std::upper_bound(free.begin(), free.end(), from,
                                [](Time when, const auto& entry) { return when < entry.first; });
  if (level != free.begin()) --level;
  Time start = from;
  for (; level != free.end(); ++level) {
    if (start > not_after) return std::nullopt;
    if (level->first >= start + length) return start;
    if (level->second >= procs) continue;
    if (std::next(level) == free.end()) return std::nullopt;
    start = std::next(level)->first;
  }
  return start <= not_after ? std::optional(start) : std::nullopt;
}

/// Adds `procs` processors in [start, end).
void add(FreeProcs& free, Time start, Time end, int procs) {
  const auto split = [&](Time when) {
    auto at = std::lower_bound(free.begin(), free.end(), when,
                               [](const auto& entry, Time wanted) { return entry.first < wanted; });
    if (at == free.end() || at->first != when)
      at = free.insert(at, {when, at == free.begin() ? 0 : std::prev(at)->second});
    return at - free.begin();
  };
  const auto first = split(start), last = split(end);
  for (auto i = first; i < last; ++i) free[static_cast<std::size_t>(i)].second += procs;
}

/// Returns a node of the kind that all nodes with processors have (nodes that are no longer
/// reported have none); nullptr: they are of several kinds, or there are none.  The kind also
/// determines their partition.
const Node* node_of_only_kind(const Cluster& cluster) {
  const Node* only = nullptr;
  for (std::uint32_t kind = 0; kind < cluster.kinds(); ++kind) {
    if (cluster.nodes_of_kind(kind) == 0) continue;
    const Node& sample = cluster.node(cluster.sample_of_kind(kind));
    if (sample.configured.procs() <= 0) continue;
    if (only != nullptr) return nullptr;
    only = &sample;
  }
  return only;
}

}  // namespace

bool Timeline::interchangeable(const Request& request) {
  if (pinned_ || !vacated_.empty() || users_matter() || access_sets().any_confined() ||
      request.requirements.size() != 1 || request.names_nodes())
    return false;
  const auto& wanted = request.requirements.front();
  if (wanted.per_task.procs() != 1 || wanted.shaped()) return false;
  const Node* sample = node_of_only_kind(*cluster_);
  if (sample == nullptr || !in_partition(request, *sample)) return false;
  // Nodes of one kind are all in the set, or none is: then the job waits for NODESETDELAY.
  if (request.node_set && variants_of(*cluster_, request).sets.empty()) return false;
  return sample->configured.procs() == 1 || request.takes_any_procs();
}

// A single reservation is where it leaves room for nearly every job.
bool Timeline::repacks_for(const Request& request) {
  return held_.size() > 1 && interchangeable(request);
}

// Requires that all nodes with processors are in one partition.
RequirementQuestion Timeline::anywhere(const Job& job, const Request& request) const {
  return {job, request, 0, usable_partitions(*cluster_, request).front(),
          shortest_stay(*cluster_, request)};
}

std::optional<Time> Timeline::first_by_count(const Request& request, Time from, Time not_after) {
  if (!free_procs_) free_procs_ = whole_model().model().free_procs();
  return first_with(*free_procs_, request.total_procs(), shortest_stay(*cluster_, request), from,
                    not_after);
}

std::optional<Placement> Timeline::place(const Job& job, const Request& request, Time start) {
  const auto question = anywhere(job, request);
  ClusterModel::Asked asked;
  auto& model = whole_model();
  model.fill(asked, question);
  return model.place(asked, start, false);
}

// Sets the reservations as wanted, and gives nodes to those without, in order of their starts.
// Changes all of them or nothing.
bool Timeline::pack(std::vector<Held> wanted) {
  std::stable_sort(wanted.begin(), wanted.end(),
                   [](const Held& a, const Held& b) { return a.start < b.start; });
  std::vector<Held*> lacking;
  std::vector<JobId> jobs;
  for (auto& held : wanted) {
    if (!held.placement.empty()) continue;
    lacking.push_back(&held);
    jobs.push_back(held.job);
  }
  std::sort(jobs.begin(), jobs.end());
  std::vector<const Held*> former;
  for (const auto& held : held_)
    if (std::binary_search(jobs.begin(), jobs.end(), held.job)) former.push_back(&held);

  for (const auto* held : former) give_back(held->job);
  std::size_t placed = 0;
  for (; placed < lacking.size(); ++placed) {
    auto& next = *lacking[placed];
    auto nodes = place(*next.of, *next.request, next.start);
    if (!nodes) break;
    next.placement = std::move(*nodes);
    take(next);
  }
  if (placed == lacking.size()) {
    std::swap(held_, wanted);
    return true;
  }
  for (std::size_t i = 0; i < placed; ++i) give_back(lacking[i]->job);
  for (const auto* held : former) take(*held);
  return false;
}

// Packs all reservations anew except those whose processors are not interchangeable: these keep
// their nodes.
bool Timeline::pack_all(std::vector<Held> wanted) {
  for (auto& held : wanted)
    if (interchangeable(*held.request)) held.placement.clear();
  return pack(std::move(wanted));
}

// Returns nodes for a job that only the current packing of reservations blocks at `start`.
std::optional<Placement> Timeline::repack(const Job& job, const Request& request, Time start) {
  auto wanted = held_;
  wanted.push_back({job.id, &job, &request, start, {}});
  if (!pack_all(std::move(wanted))) return std::nullopt;
  const auto own =
      std::find_if(held_.begin(), held_.end(), [&](const Held& held) { return held.of == &job; });
  auto placement = std::move(own->placement);
  held_.erase(own);
  const auto holding = whole_model().holding_of(job, request, placement, start);
  const auto [begin, end] = taken_.equal_range(job.id);
  const auto taken = std::find_if(begin, end, [&](const auto& entry) {
    return entry.second.holding.start == start && entry.second.holding.shares == holding.shares;
  });
  withdraw(taken->second);
  taken_.erase(taken);
  free_procs_.reset();
  return placement;
}

bool Timeline::slide_together(std::span<const JobId> by_priority) {
  for (const auto& held : held_)
    if (!interchangeable(*held.request)) return false;
  // Only the size of the reservations matters, not their nodes.
  for (const auto& held : held_) give_back(held.job);
  auto free = whole_model().model().free_procs();
  for (const auto& held : held_) take(held);
  const auto reserve = [&](const Held& held, int times) {
    add(free, held.start, held.start + shortest_stay(*cluster_, *held.request),
        times * held.request->total_procs());
  };
  for (const auto& held : held_) reserve(held, -1);
  auto wanted = held_;
  std::vector<Held*> order;
  for (const auto job : by_priority) {
    const auto at = std::find_if(wanted.begin(), wanted.end(),
                                 [&](const Held& held) { return held.job == job; });
    if (at != wanted.end()) order.push_back(&*at);
  }
  const auto moves = [&](Held& held) {
    reserve(held, +1);
    const auto start = first_with(free, held.request->total_procs(),
                                  shortest_stay(*cluster_, *held.request), now_, held.start);
    const bool earlier = start && *start < held.start;
    if (earlier) {
      held.start = *start;
      held.placement.clear();
    }
    reserve(held, -1);
    return earlier;
  };
  // The place that a reservation leaves may let a higher one move.
  bool moved = false;
  for (bool again = true; again;) {
    again = false;
    bool higher_wait = false;
    for (Held* held : order) {
      if (held->start > now_ && moves(*held)) {
        moved = true;
        again = again || higher_wait;
      }
      higher_wait = higher_wait || held->start > now_;
    }
  }
  if (!moved) return true;
  return pack(wanted) || pack_all(std::move(wanted));
}

}  // namespace maui
