#include "sched/reservations/reservation_fit.h"

#include <algorithm>

#include "base/sorted.h"
#include "model/placement.h"

namespace maui {
namespace {

bool whole(const Reservation& r) { return task_count(r.nodes) >= r.tasks_wanted; }

// Converts a reservation of setres to SRCFG settings.
StandingReservationSettings terms_of(const Cluster& cluster, const Reservation& r) {
  StandingReservationSettings terms;
  terms.tasks = r.tasks_wanted;
  terms.per_task = r.per_task;
  terms.flags = r.flags;
  terms.period = StandingPeriod::infinity;
  if (r.partition.valid()) terms.partition = cluster.partitions[r.partition];
  for (const FeatureId feature : r.features) terms.features.push_back(cluster.features[feature]);
  return terms;
}

// True if the flags of such a reservation may let it change now.
bool in_question(const Cluster& cluster, const Reservation& r, Time now) {
  if (r.kind != ReservationKind::administrative || r.tasks_wanted == 0) return false;
  const bool waits = r.start > now;
  if (waits && has(r.flags, ReservationFlag::slide_forward)) return true;
  const bool moves = has(r.flags, ReservationFlag::space_flex);
  const bool content = has(r.flags, ReservationFlag::best_effort);
  if ((moves || content) && !whole(r)) return true;
  if (!moves && !content) return false;
  return std::any_of(r.nodes.begin(), r.nodes.end(),
                     [&](const NodeTasks& share) { return !cluster.node(share.node).available(); });
}

}  // namespace

void ReservationFit::look_since(std::uint64_t room_count) {
  constexpr ReservationFlag kMoving[] = {ReservationFlag::slide_forward, ReservationFlag::time_flex,
                                         ReservationFlag::space_flex, ReservationFlag::best_effort};
  const bool moves = std::any_of(std::begin(kMoving), std::end(kMoving),
                                 [&](auto flag) { return has(standing_.flags, flag); });
  look_since_ = moves ? 0 : room_count;
}

Reservation ReservationFit::at(const Reservation& r, Time start, const Reservation* kept) const {
  Reservation there = r;
  there.start = start;
  if (r.end < kForever) there.end = start + (r.end - r.start);
  there.nodes = standing_nodes(context_, standing_, site_, there, kept, now_, look_since_);
  return there;
}

// Returns the reservation at the first start in [from, to) at which it is whole.
std::optional<Reservation> ReservationFit::whole_between(const Reservation& r, Time from, Time to,
                                                         const Reservation* kept) const {
  auto starts = site_.tasks == 0
                    ? std::vector<Time>{from}
                    : starts_with_room(context_, standing_, site_, r, kept, now_, from, to);
  // It keeps its nodes at its present time whatever has come there.
  if (kept && kept->start >= from && kept->start < to) add_sorted(starts, kept->start);
  for (const Time start : starts)
    if (auto there = at(r, start, kept); whole(there)) return there;
  return std::nullopt;
}

Reservation ReservationFit::fitted(Reservation r, const Reservation* kept,
                                   const Leeway& leeway) const {
  const bool slides = has(r.flags, ReservationFlag::slide_forward);
  const bool shifts = has(r.flags, ReservationFlag::time_flex);
  const bool begun = kept && kept->start <= now_;
  const bool moved = kept && kept->start != r.start && kept->end - kept->start == r.end - r.start &&
                     (kept->start < r.start ? slides : shifts);
  if (moved && (begun || !slides)) {
    auto there = at(r, kept->start, kept);
    if (begun || whole(there)) return there;
  }
  const Time earliest = std::max(now_, leeway.earliest);
  if (slides && !begun && earliest < r.start)
    if (auto earlier = whole_between(r, earliest, r.start, kept)) return *std::move(earlier);
  r = at(r, r.start, kept);
  if (begun || !shifts || whole(r) || leeway.latest <= r.start) return r;
  const auto later = whole_between(r, r.start + Seconds(1), leeway.latest + Seconds(1), kept);
  return later ? *later : r;
}

Reservation fitted(const Cluster& cluster, const Settings& settings, const Reservation& asked,
                   const Reservation* kept, Time now) {
  const auto terms = terms_of(cluster, asked);
  const auto site = standing_site(cluster, terms);
  const ReservationFit fit(cluster, settings, terms, site, now);
  return fit.fitted(asked, kept, {now, kForever - Seconds(2)});
}

std::optional<ChangeReservation> adjusted(const Cluster& cluster, const Settings& settings,
                                          ReservationId id, Time now) {
  const Reservation& r = cluster.reservation(id);
  if (!in_question(cluster, r, now)) return std::nullopt;
  auto wanted = fitted(cluster, settings, r, &r, now);
  if (wanted.nodes.empty() || (wanted.nodes == r.nodes && wanted.start == r.start))
    return std::nullopt;
  return ChangeReservation{id, std::move(wanted)};
}

}  // namespace maui
