// A job of Slurm as the scheduler is told of it.
#pragma once
#include <string>
#include <vector>

#include "rm/wiki_attributes.h"
#include "slurm/cluster.h"

namespace maui::slurm {

/// How a job's tasks are spread.  Slurm gives each node to a job in one piece: what a job asks for
/// on each node ties the tasks of that node together.
struct Shape {
  int tasks = 1, procs = 1;  // of each task
  int tasks_per_node = 0;    // exactly; 0: as many as fit
  int most_nodes = 0;        // 0: as many as there are
};

/// Requires a job as_asked().  `largest`: the CPUs of the largest node.
Shape shape_of(const Job& job, int largest);

/// All jobs, each task of an array as a job of its own.  What waits for something that Slurm alone
/// knows, or is held there, is in state `hold` with the reason as its message.
std::vector<WikiJob> told_jobs(const Cluster& cluster, Time now);

/// Why Slurm would not start the job now; empty if it would.  Holds do not count.
std::string obstacle(const Job& job, const Cluster& cluster, Time now);

}  // namespace maui::slurm
