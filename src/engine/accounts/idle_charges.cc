#include "engine/accounts/idle_charges.h"

#include <algorithm>
#include <utility>

#include "engine/accounts/reservation_use.h"

namespace maui {
namespace {

constexpr Seconds kDay{86400};

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
    const KeptProcs kept = kept_procs(cluster, one);
    for (Time begin = std::max(from, one.start); begin < end;) {
      IdleCharge& charge = open_for(one, begin);
      const Time stop = std::min(end, charge.since + kDay);
      charge.until = stop;
      charge.procs = std::max(charge.procs, kept.kept);
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
