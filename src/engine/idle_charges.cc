#include "engine/idle_charges.h"

#include <algorithm>
#include <utility>

namespace maui {
namespace {

constexpr Seconds kDay{86400};

struct Kept {
  int procs = 0, idle = 0;
};

/// Whoever runs on the reservation's nodes uses what it keeps before anything else there.
Kept kept_by(const Cluster& cluster, const Reservation& one) {
  Kept sum;
  for (const NodeTasks& share : one.nodes) {
    const int kept = cluster.reserved_on(one, share).procs();
    int used = 0;
    for (const Occupant& job : cluster.occupancy(share.node).occupants) used += job.amount.procs();
    sum.procs += kept;
    sum.idle += std::max(0, kept - used);
  }
  return sum;
}

const std::string& payer_of(const Reservation& one) {
  const bool owner = one.charge_account.empty() && one.kind == ReservationKind::standing;
  return owner ? one.owner : one.charge_account;
}

}  // namespace

void IdleCharges::accrue(const Cluster& cluster, Time from, Time until) {
  for (const ReservationId id : cluster.reservations()) {
    const Reservation& one = cluster.reservation(id);
    const Time begin = std::max(from, one.start), end = std::min(until, one.end);
    if (payer_of(one).empty() || end <= begin) continue;
    auto at = std::find_if(open_.begin(), open_.end(),
                           [&](const IdleCharge& known) { return known.serial == one.serial; });
    if (at == open_.end())
      at = open_.insert(at, {one.name, payer_of(one), one.serial, begin, begin, 0, 0});
    const Kept kept = kept_by(cluster, one);
    at->until = end;
    at->procs = std::max(at->procs, kept.procs);
    at->proc_seconds += static_cast<double>(kept.idle) * static_cast<double>((end - begin).raw());
  }
}

std::vector<IdleCharge> IdleCharges::due(const Cluster& cluster, Time now) {
  const auto lives = [&](const IdleCharge& one) {
    const auto all = cluster.reservations();
    return std::any_of(all.begin(), all.end(), [&](ReservationId id) {
      return cluster.reservation(id).serial == one.serial && cluster.reservation(id).end > now;
    });
  };
  std::vector<IdleCharge> due, open;
  for (IdleCharge& one : open_)
    (lives(one) && now - one.since < kDay ? open : due).push_back(std::move(one));
  open_ = std::move(open);
  return due;
}

}  // namespace maui
