// Converts Slurm's jobs to reports for the scheduler.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "rm/wiki_attributes.h"
#include "slurm/cluster.h"
#include "slurm/hindrance.h"

namespace maui::slurm {

/// Passes all jobs to `take`, with each task of an array as a separate job.  A job that Slurm would
/// not start now has the reason, which either passes by itself or does not.
void report_jobs(const Cluster& cluster, Time now, const std::function<void(WikiJob)>& take);
/// Returns all jobs at once.
std::vector<WikiJob> reported_jobs(const Cluster& cluster, Time now);
/// Returns the report of one job: of a record, or of a task of an array.
WikiJob reported_job(const Job& job, const Surroundings& all);

}  // namespace maui::slurm
