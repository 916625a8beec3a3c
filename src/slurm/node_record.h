// Converts Slurm's nodes to reports for the scheduler.  Partitions become classes.
#pragma once
#include <vector>

#include "maui/resource_manager.h"
#include "slurm/cluster.h"

namespace maui::slurm {

/// Returns all nodes.  A node where a job takes long to complete (a slow epilog) accepts no jobs.
std::vector<NodeReport> node_reports(const Cluster& cluster, Time now);
/// Returns Slurm's own reservations.
std::vector<ReservationReport> reservation_reports(const Cluster& cluster);

}  // namespace maui::slurm
