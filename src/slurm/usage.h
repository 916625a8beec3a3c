// The use of resources by running jobs, as sstat reports it.
//
// Slurm gathers these data if JobAcctGatherType says so, every JobAcctGatherFrequency seconds;
// libslurm has no public function to read them, so maui runs sstat.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "maui/job.h"
#include "slurm/cluster.h"

namespace maui::slurm {

/// By job number: the use by all steps together.
using Usage = std::map<std::uint32_t, JobUse>;

/// Returns the jobs for which sstat can report data: those that run.
std::vector<std::uint32_t> running_jobs(const Cluster& cluster);

/// Returns the arguments that make sstat answer in the format of read_usage().
std::vector<std::string> usage_arguments(const std::vector<std::uint32_t>& jobs);

/// Parses lines of JOB.STEP|TRES,TRES...: "7.batch|cpu=00:01:30,mem=512M,vmem=2G".  Other lines are
/// ignored.
Usage read_usage(std::string_view text);

}  // namespace maui::slurm
