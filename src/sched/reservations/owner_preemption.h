// Tells whose a reservation is, and who is a guest in it (seed 7.1.5.2.5).
//
// Under OWNERPREEMPT jobs of the owner may preempt the jobs of others that use the reservation
// while it is active.
#pragma once
#include <vector>

#include "maui/cluster.h"
#include "sched/rules/job_flags.h"

namespace maui {

/// OWNER is KIND:NAME, as in ACCOUNT:jupiter; a name alone is that of a user.
bool owns(const Cluster& cluster, const Reservation& reservation, const Credentials& who);

/// The active reservations with OWNERPREEMPT.
class OwnedReservations {
 public:
  OwnedReservations(const Cluster& cluster, Time now);

  bool any() const { return !owned_.empty(); }
  /// The job owns one of them.
  bool owner(const Job& job) const;
  /// An active job of somebody else uses one of them that `owner` owns.
  bool guest_of(const Job& owner, const Job& job, const JobFlags& flags) const;

 private:
  const Cluster& cluster_;
  std::vector<ReservationId> owned_;
};

}  // namespace maui
