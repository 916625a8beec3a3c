// A node of Slurm as the scheduler is told of it.  Partitions are its classes.
#pragma once
#include <vector>

#include "maui/resource_manager.h"
#include "slurm/cluster.h"

namespace maui::slurm {

std::vector<NodeReport> told_nodes(const Cluster& cluster);
/// Slurm's own reservations.
std::vector<ReservationReport> told_reservations(const Cluster& cluster);

}  // namespace maui::slurm
