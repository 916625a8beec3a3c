#include "sched/availability/late_starts.h"

#include <algorithm>

namespace maui {
namespace {

struct Moved {  // the planned and the actual end of a reservation on a node
  Time planned{0}, actual{0};
};

std::vector<const Reservation*> in_order_of_starts(const Cluster& cluster) {
  std::vector<const Reservation*> kept;
  for (const auto id : cluster.reservations())
    if (const auto& reservation = cluster.reservation(id); reservation.kind == ReservationKind::job)
      kept.push_back(&reservation);
  std::sort(kept.begin(), kept.end(), [](const Reservation* a, const Reservation* b) {
    return a->start != b->start ? a->start < b->start : a->serial < b->serial;
  });
  return kept;
}

/// Returns the first time from `start` on at which the nodes of the reservation have room.
Time with_room(const Reservation& reservation, Time start, const OnNodes& there) {
  if (there.room(reservation, start)) return start;
  for (const Time end : there.ends(reservation))
    if (end > start && there.room(reservation, end)) return end;
  return kForever;
}

}  // namespace

std::unordered_map<ReservationId, Time> late_starts(const Cluster& cluster, Time now,
                                                    const OnNodes& there) {
  std::unordered_map<ReservationId, Time> starts;
  std::unordered_map<NodeId, std::vector<Moved>> moved;
  for (const auto* reservation : in_order_of_starts(cluster)) {
    Time start = std::max(reservation->start, now);
    for (const auto& share : reservation->nodes) {
      if (moved.empty()) break;
      if (const auto here = moved.find(share.node); here != moved.end())
        for (const auto& before : here->second)
          if (before.planned <= reservation->start) start = std::max(start, before.actual);
    }
    start = with_room(*reservation, start, there);
    if (start == reservation->start) continue;
    starts.emplace(reservation->id, start);
    if (start == kForever) continue;
    for (const auto& share : reservation->nodes)
      moved[share.node].push_back(
          {reservation->end, start + (reservation->end - reservation->start)});
  }
  return starts;
}

}  // namespace maui
