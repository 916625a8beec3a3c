// Which nodes does a standing reservation get? (seed 7.1.5.2.2, 7.1.5.2.5)
//
// Hosts without a task count, or just enough of them for it, are taken whatever runs or is reserved
// there: the reservation is locked to them.  Tasks that are free to float take what is left by jobs
// without access and by other reservations for the whole of the time frame, in the order of
// NODEALLOCATIONPOLICY; what cannot be had now is tried for again in later iterations.
#pragma once
#include <vector>

#include "maui/cluster.h"
#include "maui/settings.h"

namespace maui {

/// The nodes that a standing reservation may be on, and how many of its tasks they hold when empty.
struct StandingSite {
  struct Host {
    NodeId node;
    int capacity = 0;
  };
  std::vector<Host> locked;    // taken whole
  std::vector<Host> floating;  // from which `tasks` are chosen
  int tasks = 0;
  int total() const;  // tasks of a reservation that is complete
};

StandingSite standing_site(const Cluster& cluster, const StandingReservationSettings& standing);

/// The nodes for `wanted`, which has everything but them; `kept` is what its reservation has now,
/// if there is one.  Never fewer tasks than it keeps, unless its terms have changed.
Placement standing_nodes(const Cluster& cluster, const Settings& settings,
                         const StandingReservationSettings& standing, const StandingSite& site,
                         const Reservation& wanted, const Reservation* kept, Time now);

/// Everything that an access list may ask of a job.
Applicant applicant_of(const Cluster& cluster, const class JobFlags& flags, const Job& job);

}  // namespace maui
