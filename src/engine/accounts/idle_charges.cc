#include "engine/accounts/idle_charges.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/accounts/unseen_runs.h"

namespace maui {
namespace {

constexpr Seconds kDay{86400};

/// A charge of a previous scheduler has no serial until its reservation is seen again.
bool is_of(const IdleCharge& charge, const Reservation& reservation) {
  return charge.serial ? *charge.serial == reservation.serial
                       : charge.reservation == reservation.name;
}

bool is_full(const IdleCharge& charge) { return charge.until - charge.since >= kDay; }

}  // namespace

IdleCharge& IdleCharges::open_for(const Reservation& reservation, Time begin) {
  auto at = std::find_if(open_.begin(), open_.end(), [&](const IdleCharge& known) {
    return is_of(known, reservation) && !is_full(known);
  });
  if (at == open_.end())
    at = open_.insert(
        at, {reservation.name, payer_of(reservation), reservation.serial, begin, begin, 0, 0});
  at->serial = reservation.serial;
  at->reservation = reservation.name;  // it may have changed at midnight
  return *at;
}

void IdleCharges::resume(const std::string& name, const Reservation& restored) {
  for (IdleCharge& charge : open_) {
    if (charge.serial || charge.reservation != name) continue;
    charge.serial = restored.serial;
    charge.reservation = restored.name;
  }
}

void IdleCharges::accrue(const Cluster& cluster, KeptProcsOnce& all, const UnseenRuns& unseen,
                         const Reservation& reservation, Time from, Time until) {
  if (payer_of(reservation).empty()) return;
  const Time end = std::min(until, reservation.end);
  const KeptProcs& kept = all.of(reservation);
  for (Time begin = std::max(from, reservation.start); begin < end;) {
    IdleCharge& charge = open_for(reservation, begin);
    const Time stop = std::min(end, charge.since + kDay);
    charge.until = stop;
    charge.procs = std::max(charge.procs, kept.kept);
    charge.proc_seconds +=
        static_cast<double>(kept.idle) * static_cast<double>((stop - begin).raw()) +
        unseen.more_idle(cluster, all.flags(), reservation, begin, stop);
    begin = stop;
  }
}

void IdleCharges::add_missed(const Cluster& cluster, const JobFlags& flags, const UnseenRuns& over,
                             Time from, Time until) {
  for (const ReservationId id : cluster.reservations()) {
    const Reservation& reservation = cluster.reservation(id);
    const Time begin = std::max(from, reservation.start), end = std::min(until, reservation.end);
    if (payer_of(reservation).empty() || begin >= end) continue;
    const double more = over.more_idle(cluster, flags, reservation, begin, end);
    if (more != 0) open_for(reservation, begin).proc_seconds += std::abs(more);
  }
}

std::vector<IdleCharge> IdleCharges::due(const Cluster& cluster, Time now, const Comes& comes) {
  const auto lives = [&](const IdleCharge& charge) {
    const auto all = cluster.reservations();
    return std::any_of(all.begin(), all.end(), [&](ReservationId id) {
      const Reservation& reservation = cluster.reservation(id);
      return is_of(charge, reservation) && reservation.end > now;
    });
  };
  std::vector<IdleCharge> due, open;
  for (IdleCharge& charge : open_) {
    const bool grows =
        !is_full(charge) && (lives(charge) || (!charge.serial && comes(charge.reservation)));
    (grows ? open : due).push_back(std::move(charge));
  }
  open_ = std::move(open);
  return due;
}

}  // namespace maui
