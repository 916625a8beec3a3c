// Which nodes does a standing reservation get? (seed 7.1.5.2.2, 7.1.5.2.5)
//
// Hosts without a task count, or just enough of them for it, are taken whatever runs or is reserved
// there: the reservation is locked to them.  Tasks that are free to float take what is left by jobs
// without access and by other reservations for the whole of the time frame, in the order of
// NODEALLOCATIONPOLICY; what cannot be had now is tried for again in later iterations.
#pragma once
#include <optional>
#include <vector>

#include "maui/cluster.h"
#include "maui/settings.h"
#include "sched/availability/access_sets.h"
#include "sched/rules/job_flags.h"

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

/// Results that questions about one state of the cluster share, made when first needed.
class StandingContext {
 public:
  StandingContext(const Cluster& cluster, const Settings& settings)
      : cluster_(cluster), settings_(settings) {}

  const Cluster& cluster() const { return cluster_; }
  const Settings& settings() const { return settings_; }
  const JobFlags& flags() const;
  AccessSets& sets() const;

 private:
  const Cluster& cluster_;
  const Settings& settings_;
  mutable std::optional<JobFlags> flags_;
  mutable std::optional<AccessSets> sets_;
};

/// The nodes for `wanted`, which has everything but them; `kept` is what its reservation has now,
/// if there is one.  Never fewer tasks than it keeps, unless its terms have changed or BESTEFFORT
/// lets go of nodes that are down.  More is looked for only on nodes that have come to have more
/// room since `look_since`, a Cluster::room_count().
Placement standing_nodes(const StandingContext& context,
                         const StandingReservationSettings& standing, const StandingSite& site,
                         const Reservation& wanted, const Reservation* kept, Time now,
                         std::uint64_t look_since);

/// Everything that an access list may ask of a job.
Applicant applicant_of(const Cluster& cluster, const JobFlags& flags, const Job& job);

}  // namespace maui
