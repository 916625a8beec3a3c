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

/// One that another scheduler left has no serial until its reservation is seen again.
bool is_of(const IdleCharge& charge, const Reservation& one) {
  return charge.serial == one.serial || (charge.serial == 0 && charge.reservation == one.name);
}

bool is_full(const IdleCharge& charge) { return charge.until - charge.since >= kDay; }

}  // namespace

const std::string& payer_of(const Reservation& one) {
  const bool owner = one.charge_account.empty() && one.kind == ReservationKind::standing;
  return owner ? one.owner : one.charge_account;
}

IdleCharge& IdleCharges::open_for(const Reservation& one, Time begin) {
  auto at = std::find_if(open_.begin(), open_.end(), [&](const IdleCharge& known) {
    return is_of(known, one) && !is_full(known);
  });
  if (at == open_.end())
    at = open_.insert(at, {one.name, payer_of(one), one.serial, begin, begin, 0, 0});
  at->serial = one.serial;
  return *at;
}

void IdleCharges::accrue(const Cluster& cluster, Time from, Time until) {
  for (const ReservationId id : cluster.reservations()) {
    const Reservation& one = cluster.reservation(id);
    const Time end = std::min(until, one.end);
    if (payer_of(one).empty()) continue;
    const Kept kept = kept_by(cluster, one);
    for (Time begin = std::max(from, one.start); begin < end;) {
      IdleCharge& charge = open_for(one, begin);
      const Time stop = std::min(end, charge.since + kDay);
      charge.until = stop;
      charge.procs = std::max(charge.procs, kept.procs);
      charge.proc_seconds +=
          static_cast<double>(kept.idle) * static_cast<double>((stop - begin).raw());
      begin = stop;
    }
  }
}

std::vector<IdleCharge> IdleCharges::due(const Cluster& cluster, Time now, const Comes& comes) {
  const auto lives = [&](const IdleCharge& charge) {
    const auto all = cluster.reservations();
    return std::any_of(all.begin(), all.end(), [&](ReservationId id) {
      const Reservation& one = cluster.reservation(id);
      return is_of(charge, one) && one.end > now;
    });
  };
  std::vector<IdleCharge> due, open;
  for (IdleCharge& one : open_) {
    const bool grows = !is_full(one) && (lives(one) || (one.serial == 0 && comes(one.reservation)));
    (grows ? open : due).push_back(std::move(one));
  }
  open_ = std::move(open);
  return due;
}

}  // namespace maui
