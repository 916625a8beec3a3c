// The number of nodes for a job's tasks, and the number of tasks on each.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>

#include "slurm/cluster.h"
#include "slurm/gres.h"

namespace maui::slurm {

/// How a job's tasks are spread.  Slurm gives a node to a job in one piece, so resources requested
/// on each node tie the tasks of that node together.
struct Shape {
  int tasks = 1, procs = 1;  // of each task
  int tasks_per_node = 0;    // exactly; 0: Slurm fills one node after the other
  int least_nodes = 0;       // 0: as few as possible
  int most_nodes = 0;        // 0: no maximum
  int sharing = 1;           // number of tasks that share the resources of each node
  int joined = 1;            // Slurm's tasks in one: what they share cannot be divided
  int on_first = 0;          // `joined` on the node with the remainder; 0: all nodes are alike
};

/// The number of nodes, and the largest amounts on any node.
struct Largest {
  explicit Largest(const Cluster& cluster);

  int nodes = 0, cpus = 1, sockets = 1;
  std::int64_t memory = 0;
  std::map<std::string, int> generic;
};

/// Requires a job from as_asked().
Shape shape_of(const Job& job, const Largest& largest);

/// Returns what the job has on each node, including what it has for each socket there.
Counted generic_on_each_node(const Job& job);

/// Returns true if the job could run on this node with all its CPUs, judging only what the job asks
/// of each node beyond the CPUs of its tasks: CPUs, sockets, cores.
bool can_serve(const Node& node, const Job& job, const Largest& largest);

/// Returns the first part of `amount` if the other parts are equal, each rounded down.
inline int part_of_first(int amount, int parts) { return amount - (parts - 1) * (amount / parts); }

/// Marks the jobs that are exclusive because of their partition (OverSubscribe=EXCLUSIVE).
void apply_partitions(Cluster& cluster);

/// Adds the GPUs of jobs that only say how many tasks share a GPU (--ntasks-per-gpu).
void apply_gpus_of_tasks(Cluster& cluster);

/// Adds the CPUs and the memory that jobs want for each GPU (--cpus-per-gpu, --mem-per-gpu, or the
/// defaults of their partition), which Slurm itself adds only at the start.
void apply_shares_of_gpus(Cluster& cluster);

/// Returns the product, limited to the range of int.
inline int product(int a, int b) {
  constexpr std::int64_t kMost = std::numeric_limits<int>::max();
  return static_cast<int>(std::min(kMost, std::int64_t{a} * b));
}

/// Counts the CPUs of overcommitted jobs (sbatch -O) as their tasks: Slurm runs all tasks on these
/// CPUs.
void apply_overcommit(Cluster& cluster);

/// Returns the size of one of `parts` equal parts of `amount`, rounded up.
inline int ceiling(std::int64_t amount, int parts) {
  const auto each = (amount + parts - 1) / parts;
  return static_cast<int>(each < std::numeric_limits<int>::max() ? each
                                                                 : std::numeric_limits<int>::max());
}

}  // namespace maui::slurm
