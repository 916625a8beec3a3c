// A job of Slurm as it is reported to the scheduler.
#pragma once
#include <string>
#include <vector>

#include "rm/wiki_attributes.h"
#include "slurm/cluster.h"
#include "slurm/hindrance.h"

namespace maui::slurm {

/// All jobs, each task of an array as a job of its own.  What Slurm would not start now has the
/// reason with it, as one that passes or as one that does not.
std::vector<WikiJob> reported_jobs(const Cluster& cluster, Time now);
/// One of them: a record of its own, or a task of an array.
WikiJob reported_job(const Job& job, const Surroundings& all);

}  // namespace maui::slurm
