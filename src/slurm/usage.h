// The use of running jobs, as sstat reports it.
//
// Slurm gathers it where JobAcctGatherType says so, every JobAcctGatherFrequency seconds; libslurm
// has no public way to read what it gathers, so sstat is run.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "maui/job.h"
#include "slurm/cluster.h"

namespace maui::slurm {

/// By number of the job: what all its steps use together.
using Usage = std::map<std::uint32_t, JobUse>;

/// The jobs of which sstat can report something: those that run.
std::vector<std::uint32_t> running_jobs(const Cluster& cluster);

/// The arguments that make sstat answer in the form that read_usage() reads.
std::vector<std::string> usage_arguments(const std::vector<std::uint32_t>& jobs);

/// Lines of JOB.STEP|TRES,TRES...: "7.batch|cpu=00:01:30,mem=512M,vmem=2G".  Lines that are not in
/// that form are passed over.
Usage read_usage(std::string_view text);

}  // namespace maui::slurm
