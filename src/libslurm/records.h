// Converts the results of Slurm's own library to values.
#pragma once
#include <slurm/slurm.h>
#include <slurm/slurmdb.h>

#include "slurm/controller.h"

namespace maui::slurm {

/// Reads all but the names of user and group, because Slurm may report only their numbers.
Job read_job(const slurm_job_info_t& info);
Node read_node(const node_info_t& info);
Partition read_partition(const partition_info_t& info);
License read_license(const slurm_license_info_t& info);
Reservation read_reservation(const reserve_info_t& info);
Accounting read_accounting(const assoc_mgr_info_msg_t& message);

}  // namespace maui::slurm
