#include "sched/availability/late_starts.h"

#include <algorithm>

namespace maui {
namespace {

struct Moved {  // a reservation's end on a node, as planned and as it comes
  Time planned{0}, actual{0};
};

std::vector<const Reservation*> in_order_of_starts(const Cluster& cluster) {
  std::vector<const Reservation*> kept;
  for (const auto id : cluster.reservations())
    if (const auto& one = cluster.reservation(id); one.kind == ReservationKind::job)
      kept.push_back(&one);
  std::sort(kept.begin(), kept.end(), [](const Reservation* a, const Reservation* b) {
    return a->start != b->start ? a->start < b->start : a->serial < b->serial;
  });
  return kept;
}

/// The first moment from `start` on at which those who are on its nodes have made room.
Time with_room(const Reservation& one, Time start, const OnNodes& there) {
  if (there.room(one, start)) return start;
  for (const Time end : there.ends(one))
    if (end > start && there.room(one, end)) return end;
  return kForever;
}

}  // namespace

std::unordered_map<ReservationId, Time> late_starts(const Cluster& cluster, Time now,
                                                    const OnNodes& there) {
  std::unordered_map<ReservationId, Time> starts;
  std::unordered_map<NodeId, std::vector<Moved>> moved;
  for (const auto* one : in_order_of_starts(cluster)) {
    Time start = std::max(one->start, now);
    for (const auto& share : one->nodes) {
      if (moved.empty()) break;
      if (const auto here = moved.find(share.node); here != moved.end())
        for (const auto& before : here->second)
          if (before.planned <= one->start) start = std::max(start, before.actual);
    }
    start = with_room(*one, start, there);
    if (start == one->start) continue;
    starts.emplace(one->id, start);
    if (start == kForever) continue;
    for (const auto& share : one->nodes)
      moved[share.node].push_back({one->end, start + (one->end - one->start)});
  }
  return starts;
}

}  // namespace maui
