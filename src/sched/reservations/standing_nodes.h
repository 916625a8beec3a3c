// Chooses the nodes of a standing reservation (seed 7.1.5.2.2, 7.1.5.2.5).
//
// Hosts without a task count, or just as many hosts as the count needs, are taken regardless of
// jobs and reservations there: the reservation is locked to them.  Floating tasks take what jobs
// without access and other reservations leave for the whole time frame, in the order of
// NODEALLOCATIONPOLICY; later iterations try again for tasks that have no node yet.
#pragma once
#include <optional>
#include <vector>

#include "maui/cluster.h"
#include "maui/settings.h"
#include "sched/availability/access_sets.h"
#include "sched/rules/job_flags.h"

namespace maui {

/// The nodes that a standing reservation may use, with the tasks that each holds when empty.
struct StandingSite {
  struct Host {
    NodeId node;
    int capacity = 0;
  };
  std::vector<Host> locked;    // taken whole
  std::vector<Host> floating;  // the hosts from which nodes for `tasks` are chosen
  int tasks = 0;
  int total() const;  // the tasks of a complete reservation
};

StandingSite standing_site(const Cluster& cluster, const StandingReservationSettings& standing);

/// Data that queries about one state of the cluster share, computed on first use.
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

/// Returns the nodes for `wanted`, which lacks only them; `kept` is the existing reservation or
/// nullptr.  Keeps all tasks of `kept` unless its terms have changed or BESTEFFORT gives up nodes
/// that are down.  Looks for more tasks only on nodes that have gained room since `look_since`, a
/// value of Cluster::room_count().
Placement standing_nodes(const StandingContext& context,
                         const StandingReservationSettings& standing, const StandingSite& site,
                         const Reservation& wanted, const Reservation* kept, Time now,
                         std::uint64_t look_since);

/// Returns the starts in [from, to) at which the hosts have room for all floating tasks of
/// `wanted`, which lacks only its nodes, in order: the first, and those at which the room of a host
/// changes.
std::vector<Time> starts_with_room(const StandingContext& context,
                                   const StandingReservationSettings& standing,
                                   const StandingSite& site, const Reservation& wanted,
                                   const Reservation* kept, Time now, Time from, Time to);

/// Returns everything about a job that an access list may check.
Applicant applicant_of(const Cluster& cluster, const JobFlags& flags, const Job& job);

}  // namespace maui
