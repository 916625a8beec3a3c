#include "sched/availability/late_starts.h"

#include <algorithm>
#include <vector>

namespace maui {
namespace {

struct Moved {  // a reservation's end on a node, as planned and as it comes
  Time planned{0}, actual{0};
};

}  // namespace

std::unordered_map<ReservationId, Time> late_starts(const Cluster& cluster, Time now) {
  std::unordered_map<ReservationId, Time> starts;
  const auto all = cluster.reservations();
  const auto of_a_job = [&](ReservationId id) {
    return cluster.reservation(id).kind == ReservationKind::job;
  };
  const bool late = std::any_of(all.begin(), all.end(), [&](ReservationId id) {
    return cluster.reservation(id).start < now && of_a_job(id);
  });
  if (!late) return starts;
  std::vector<const Reservation*> kept;
  for (const auto id : all)
    if (of_a_job(id)) kept.push_back(&cluster.reservation(id));
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
