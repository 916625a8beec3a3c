#include "sched/reservations/owner_preemption.h"

#include <algorithm>

#include "model/credentials.h"
#include "model/sharing.h"
#include "sched/reservations/standing_nodes.h"

namespace maui {
bool owns(const Cluster& cluster, const Reservation& reservation, const Credentials& who) {
  const std::string_view owner = reservation.owner;
  const auto colon = owner.find(':');
  const bool alone = colon == std::string_view::npos;
  const auto kind = alone ? CredentialKind::user : kind_named(owner.substr(0, colon));
  if (!kind) return false;
  const auto mine = number_of(who, *kind);
  return mine != kNoCredential &&
         credential_name(cluster, *kind, mine) == (alone ? owner : owner.substr(colon + 1));
}

OwnedReservations::OwnedReservations(const Cluster& cluster, Time now) : cluster_(cluster) {
  for (const ReservationId id : cluster.reservations()) {
    const Reservation& r = cluster.reservation(id);
    if (has(r.flags, ReservationFlag::owner_preempt) && r.active_at(now)) owned_.push_back(id);
  }
}

bool OwnedReservations::owner(const Job& job) const {
  return std::any_of(owned_.begin(), owned_.end(), [&](ReservationId id) {
    return owns(cluster_, cluster_.reservation(id), job.credentials);
  });
}

bool OwnedReservations::include(const Placement& nodes) const {
  return std::any_of(owned_.begin(), owned_.end(), [&](ReservationId id) {
    return share_a_node(cluster_.reservation(id).nodes, nodes);
  });
}

bool OwnedReservations::guest_of(const Job& owner, const Job& job, const Placement& there,
                                 const JobFlags& flags) const {
  return std::any_of(owned_.begin(), owned_.end(), [&](ReservationId id) {
    const Reservation& r = cluster_.reservation(id);
    return owns(cluster_, r, owner.credentials) && !owns(cluster_, r, job.credentials) &&
           share_a_node(r.nodes, there) &&
           admission(r, applicant_of(cluster_, flags, job)).admitted;
  });
}

}  // namespace maui
