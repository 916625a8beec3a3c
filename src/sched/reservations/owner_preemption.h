// The owner of a reservation, and the jobs of others in it (seed 7.1.5.2.5).
//
// Under OWNERPREEMPT, jobs of the owner may preempt jobs of other users that use the reservation
// while it is active.
#pragma once
#include <vector>

#include "maui/cluster.h"
#include "sched/rules/job_flags.h"

namespace maui {

/// True if `who` is the reservation's OWNER: KIND:NAME, as in ACCOUNT:jupiter; or a user's name.
bool owns(const Cluster& cluster, const Reservation& reservation, const Credentials& who);

/// The active reservations with OWNERPREEMPT.
class OwnedReservations {
 public:
  OwnedReservations(const Cluster& cluster, Time now);

  bool any() const { return !owned_.empty(); }
  /// True if the job's credentials own one of these reservations.
  bool owner(const Job& job) const;
  /// True if some of these nodes are in one of these reservations.
  bool include(const Placement& nodes) const;
  /// True if `job`, which is not the owner's, uses one of them that `owner` owns if it runs there.
  bool guest_of(const Job& owner, const Job& job, const Placement& there,
                const JobFlags& flags) const;

 private:
  const Cluster& cluster_;
  std::vector<ReservationId> owned_;
};

}  // namespace maui
