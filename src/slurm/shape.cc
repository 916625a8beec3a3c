#include "slurm/shape.h"

#include <algorithm>

namespace maui::slurm {
namespace {

/// On how many nodes of `largest` CPUs the tasks can be spread evenly; 0: on no number that will
/// do.
int fewest_even(const Shape& shape, const Job& job, int largest) {
  const int most = job.max_nodes > 0 ? std::min(job.max_nodes, shape.tasks) : shape.tasks;
  for (int nodes = std::max(1, job.min_nodes); nodes <= most; ++nodes)
    if (shape.tasks % nodes == 0 && shape.tasks / nodes * shape.procs <= largest) return nodes;
  return 0;
}

}  // namespace

Shape shape_of(const Job& job, int largest) {
  Shape shape;
  const int nodes = std::max(1, job.min_nodes);
  shape.tasks = std::max(nodes, job.tasks);
  // Slurm gives each node of such a job the CPUs of so many tasks, whether all are needed or not.
  if (job.tasks_per_node > 0)
    shape.tasks = std::max(nodes, ceiling(job.tasks, job.tasks_per_node)) * job.tasks_per_node;
  shape.procs = std::max(1, job.cpus_per_task);
  if (!job.exclusive) shape.procs = std::max(shape.procs, ceiling(job.cpus, shape.tasks));
  const bool tied = (job.memory > 0 && !job.memory_per_cpu) || !job.tres_per_node.empty();
  const bool fixed = job.max_nodes > 0 && job.min_nodes == job.max_nodes;
  const int even = tied ? fewest_even(shape, job, largest) : 0;
  if (job.tasks_per_node > 0)
    shape.tasks_per_node = job.tasks_per_node;
  else if (fixed && shape.tasks % nodes == 0)
    shape.tasks_per_node = shape.tasks / nodes;
  else if (even > 0)
    shape.tasks_per_node = shape.tasks / even;
  if (shape.tasks_per_node > 0) return shape;
  shape.least_nodes = nodes > 1 ? nodes : 0;
  shape.most_nodes = job.max_nodes;
  return shape;
}

}  // namespace maui::slurm
