#include "sched/owners.h"

#include <algorithm>

#include "base/text.h"
#include "sched/standing_nodes.h"

namespace maui {
namespace {

template <class IdType>
bool is(const Names<IdType>& names, IdType mine, std::string_view name) {
  return mine.valid() && names[mine] == name;
}

bool stands_on(const Reservation& r, const Placement& placement) {
  return std::any_of(placement.begin(), placement.end(), [&](const NodeTasks& mine) {
    return std::any_of(r.nodes.begin(), r.nodes.end(),
                       [&](const NodeTasks& share) { return share.node == mine.node; });
  });
}

}  // namespace

bool owns(const Cluster& cluster, const Reservation& reservation, const Credentials& who) {
  const std::string_view owner = reservation.owner;
  const auto colon = owner.find(':');
  if (colon == std::string_view::npos) return is(cluster.users, who.user, owner);
  const auto kind = owner.substr(0, colon), name = owner.substr(colon + 1);
  if (same_word(kind, "USER")) return is(cluster.users, who.user, name);
  if (same_word(kind, "GROUP")) return is(cluster.groups, who.group, name);
  if (same_word(kind, "ACCOUNT")) return is(cluster.accounts, who.account, name);
  if (same_word(kind, "CLASS")) return is(cluster.classes, who.job_class, name);
  return same_word(kind, "QOS") && is(cluster.qos, who.qos, name);
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

bool OwnedReservations::guest_of(const Job& owner, const Job& job, const JobFlags& flags) const {
  return std::any_of(owned_.begin(), owned_.end(), [&](ReservationId id) {
    const Reservation& r = cluster_.reservation(id);
    return owns(cluster_, r, owner.credentials) && !owns(cluster_, r, job.credentials) &&
           stands_on(r, job.placement) && admission(r, applicant_of(cluster_, flags, job)).admitted;
  });
}

}  // namespace maui
