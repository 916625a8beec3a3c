// A node of Slurm as it is reported to the scheduler.  Partitions are its classes.
#pragma once
#include <vector>

#include "maui/resource_manager.h"
#include "slurm/cluster.h"

namespace maui::slurm {

/// A node on which the end of a job takes long to be through, as with a slow epilog, takes no job.
std::vector<NodeReport> node_reports(const Cluster& cluster, Time now);
/// Slurm's own reservations.
std::vector<ReservationReport> reservation_reports(const Cluster& cluster);

}  // namespace maui::slurm
