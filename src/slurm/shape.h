// On how many nodes a job's tasks are, and how many on each.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>

#include "slurm/cluster.h"
#include "slurm/gres.h"

namespace maui::slurm {

/// How a job's tasks are spread.  Slurm gives each node to a job in one piece: what a job asks for
/// on each node ties the tasks of that node together.
struct Shape {
  int tasks = 1, procs = 1;  // of each task
  int tasks_per_node = 0;    // exactly; 0: Slurm fills the nodes one after the other
  int least_nodes = 0;       // 0: as few as will do
  int most_nodes = 0;        // 0: as many as there are
  int sharing = 1;           // tasks that have together what is asked for on each node
  int joined = 1;    // tasks of Slurm's that are one: what they have together cannot be divided
  int on_first = 0;  // as `joined`, of the node that takes what is left; 0: all nodes are alike
};

/// The number of nodes, and the most that any of them has.
struct Largest {
  explicit Largest(const Cluster& cluster);

  int nodes = 0, cpus = 1, sockets = 1;
  std::int64_t memory = 0;
  std::map<std::string, int> generic;
};

/// Requires a job as_asked().
Shape shape_of(const Job& job, const Largest& largest);

/// Returns what the job has on each node, with what it has for each socket there.
Counted generic_on_each_node(const Job& job);

/// True if a job with all CPUs of the node to itself could run there, as far as that is a matter of
/// what it asks of each node beyond its tasks' CPUs: CPUs, sockets, cores.
bool can_serve(const Node& node, const Job& job, const Largest& largest);

/// Returns what one of so many has, if the others have equal parts, each rounded down.
inline int part_of_first(int amount, int parts) { return amount - (parts - 1) * (amount / parts); }

/// Marks the jobs that are exclusive because their partition is (OverSubscribe=EXCLUSIVE).
void apply_partitions(Cluster& cluster);

/// Adds the GPUs of jobs that say only how many tasks share one (--ntasks-per-gpu).
void apply_gpus_of_tasks(Cluster& cluster);

/// Returns the product, or the most that an int holds.
inline int product(int a, int b) {
  constexpr std::int64_t kMost = std::numeric_limits<int>::max();
  return static_cast<int>(std::min(kMost, std::int64_t{a} * b));
}

/// Counts as tasks what CPUs overcommitted jobs (sbatch -O) have: on these Slurm runs all of
/// theirs.
void apply_overcommit(Cluster& cluster);

/// `amount` in so many equal parts, each rounded up.
inline int ceiling(std::int64_t amount, int parts) {
  const auto each = (amount + parts - 1) / parts;
  return static_cast<int>(each < std::numeric_limits<int>::max() ? each
                                                                 : std::numeric_limits<int>::max());
}

}  // namespace maui::slurm
