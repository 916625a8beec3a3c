#include "sched/late_starts.h"

#include <algorithm>
#include <vector>

namespace maui {
namespace {

struct Moved {  // a reservation's end on a node, as planned and as it comes
  Time planned{0}, actual{0};
};

}  // namespace

std::unordered_map<ReservationId, Time> late_starts(const Cluster& cluster, Time now) {
  std::vector<const Reservation*> kept;
  bool late = false;
  for (const auto id : cluster.reservations()) {
    const auto& reservation = cluster.reservation(id);
    if (reservation.kind != ReservationKind::job) continue;
    late = late || reservation.start < now;
    kept.push_back(&reservation);
  }
  std::unordered_map<ReservationId, Time> starts;
  if (!late) return starts;
  std::sort(kept.begin(), kept.end(), [](const Reservation* a, const Reservation* b) {
    return a->start != b->start ? a->start < b->start : a->serial < b->serial;
  });
  std::unordered_map<NodeId, std::vector<Moved>> moved;
  for (const auto* one : kept) {
    Time start = std::max(one->start, now);
    for (const auto& share : one->nodes)
      if (const auto here = moved.find(share.node); here != moved.end())
        for (const auto& before : here->second)
          if (before.planned <= one->start) start = std::max(start, before.actual);
    if (start == one->start) continue;
    starts.emplace(one->id, start);
    for (const auto& share : one->nodes)
      moved[share.node].push_back({one->end, start + (one->end - one->start)});
  }
  return starts;
}

}  // namespace maui
