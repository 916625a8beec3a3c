// Where and for how long a request may run, where that depends on the nodes:
// node sets (guide 8.3) and limits that go by speed (USEMACHINESPEED).
//
// Each way to run it - within one set, on nodes of at least some speed, for the
// time that it may take on the slowest of them - is a question of its own to the
// timeline; the best answer is taken.
#include <algorithm>

#include "sched/availability/timeline.h"

namespace maui {

Seconds Timeline::longest(const Request& request, const std::vector<KindMask>& kinds) const {
  if (!request.by_speed) return request.limit;
  double slowest = 0;
  for (std::uint32_t kind = 0; kind < cluster_->kinds(); ++kind) {
    const bool serves = std::any_of(kinds.begin(), kinds.end(),
                                    [&](const KindMask& mask) { return mask[kind] != 0; });
    const double speed = cluster_->node(cluster_->sample_of_kind(kind)).speed;
    if (serves) slowest = slowest == 0 ? speed : std::min(slowest, speed);
  }
  return request.limit_at(slowest);
}

Seconds Timeline::shortest(const Request& request) const {
  if (!request.by_speed) return request.limit;
  double fastest = 0;
  for (std::uint32_t kind = 0; kind < cluster_->kinds(); ++kind)
    fastest = std::max(fastest, cluster_->node(cluster_->sample_of_kind(kind)).speed);
  return request.limit_at(fastest);
}

// On all of these kinds, and then without the slowest ones, which leaves less time.
std::vector<Timeline::Way> Timeline::ways_by_speed(const Request& request,
                                                   std::vector<KindMask> kinds) const {
  std::vector<double> speeds;
  for (std::uint32_t kind = 0; kind < cluster_->kinds() && request.by_speed; ++kind)
    for (const auto& mask : kinds)
      if (mask[kind]) speeds.push_back(cluster_->node(cluster_->sample_of_kind(kind)).speed);
  std::sort(speeds.begin(), speeds.end());
  speeds.erase(std::unique(speeds.begin(), speeds.end()), speeds.end());
  std::vector<Way> ways;
  ways.push_back({kinds, longest(request, kinds)});
  for (std::size_t i = 1; i < speeds.size(); ++i) {
    for (auto& mask : kinds)
      for (std::uint32_t kind = 0; kind < cluster_->kinds(); ++kind)
        if (cluster_->node(cluster_->sample_of_kind(kind)).speed < speeds[i]) mask[kind] = 0;
    ways.push_back({kinds, longest(request, kinds)});
  }
  return ways;
}

std::shared_ptr<const Timeline::Ways> Timeline::ways_of(const Job& job, const Request& request) {
  auto& entry = serving(job, request);
  if (entry.ways) return entry.ways;
  auto made = std::make_shared<Ways>();
  made->anywhere = ways_by_speed(request, entry.kinds);
  if (request.node_set) {
    KindMask any(cluster_->kinds(), 0);
    for (const auto& mask : entry.kinds)
      for (std::size_t kind = 0; kind < any.size(); ++kind)
        any[kind] = static_cast<char>(any[kind] | mask[kind]);
    for (const auto& set : node_sets(*cluster_, *request.node_set, any)) {
      auto kinds = entry.kinds;
      for (auto& mask : kinds)
        for (std::size_t kind = 0; kind < any.size(); ++kind)
          mask[kind] = static_cast<char>(mask[kind] & set.kinds[kind]);
      made->sets.push_back({ways_by_speed(request, std::move(kinds)), set.fastest});
    }
  }
  entry.ways = made;
  return made;
}

// The earliest of several ways; the first one among equals.
std::optional<Slot> Timeline::first_of(const std::vector<Way>& ways, Time from, Time not_after,
                                       const Question& question) {
  std::optional<Slot> best;
  for (const auto& way : ways) {
    const Time bound = best ? best->start - Seconds(1) : not_after;
    if (bound < from) break;
    way_ = &way;
    auto slot = question(from, bound);
    way_ = nullptr;
    if (slot) best = std::move(slot);
  }
  return best;
}

// How little a set commends itself at that moment (NODESETPRIORITYTYPE): the first of the least is
// taken.  What a type does not apply to leaves the order of the list.
double Timeline::penalty(const Job& job, const Request& request, const Ways::Set& set,
                         const Slot& slot) {
  const auto& wanted = *request.node_set;
  const bool speeds = wanted.attribute == NodeSetAttribute::proc_speed;
  switch (wanted.policy == NodeSetPolicy::one_of ? wanted.priority
                                                 : NodeSetPriority::best_resource) {
    case NodeSetPriority::best_fit:
      return static_cast<double>(room_in(job, request, set, slot));
    case NodeSetPriority::worst_fit:
      return -static_cast<double>(room_in(job, request, set, slot));
    case NodeSetPriority::best_resource:
      return speeds && wanted.policy == NodeSetPolicy::one_of ? -set.fastest : 0;
    case NodeSetPriority::min_loss:
      return speeds ? loss_of(*cluster_, request, slot.placement) : 0;
  }
  return 0;
}

// Tasks of the first requirement that the set would take at that moment.
long long Timeline::room_in(const Job& job, const Request& request, const Ways::Set& set,
                            const Slot& slot) {
  way_ = &set.ways.front();
  const auto asked = ask(job, request);
  long long room = 0;
  if (slot.start > now_) {
    for (const auto& offer : offers_at(asked, slot.partition, slot.start)) room += offer.tasks;
  } else {
    room = room_now(asked, slot.partition);
  }
  way_ = nullptr;
  return room;
}

// The order of a list is the user's or the site's own word.
Timeline::Reluctance Timeline::reluctance_in_sets(const Job& job, const Request& request,
                                                  const Slot& slot) {
  const bool in_order = request.node_set->policy == NodeSetPolicy::first_of;
  return in_order ? Reluctance{} : reluctance(job, request, slot);
}

std::optional<Slot> Timeline::first_in_sets(const Job& job, const Request& request,
                                            const Ways& ways, Time from, Time not_after,
                                            const Question& question) {
  std::optional<Slot> best;
  std::pair<Reluctance, double> least;
  for (const auto& set : ways.sets) {
    auto slot = first_of(set.ways, from, best ? best->start : not_after, question);
    if (!slot) continue;
    const std::pair here(reluctance_in_sets(job, request, *slot),
                         penalty(job, request, set, *slot));
    if (best && slot->start == best->start && !(here < least)) continue;
    best = std::move(slot);
    least = here;
  }
  return best;
}

std::optional<Slot> Timeline::now_by_ways(const Job& job, const Request& request,
                                          const Question& question) {
  const auto ways = ways_of(job, request);
  if (request.node_set)
    if (auto slot = first_in_sets(job, request, *ways, now_, now_, question)) return slot;
  if (waits_for_set(job, request, now_)) return std::nullopt;
  return first_of(ways->anywhere, now_, now_, question);
}

std::optional<Slot> Timeline::earliest_by_ways(const Job& job, const Request& request, Time from,
                                               Time not_after, const Question& question) {
  const auto ways = ways_of(job, request);
  if (!request.node_set) return first_of(ways->anywhere, from, not_after, question);
  const Time free_from = std::max(from, job.eligible_since + request.node_set->delay);
  auto outside = free_from <= not_after && free_from < kForever
                     ? first_of(ways->anywhere, free_from, not_after, question)
                     : std::nullopt;
  auto inside =
      first_in_sets(job, request, *ways, from, outside ? outside->start : not_after, question);
  return inside ? std::move(inside) : std::move(outside);
}

}  // namespace maui
