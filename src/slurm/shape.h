// On how many nodes a job's tasks are, and how many on each.
#pragma once
#include <cstdint>
#include <limits>

#include "slurm/cluster.h"

namespace maui::slurm {

/// How a job's tasks are spread.  Slurm gives each node to a job in one piece: what a job asks for
/// on each node ties the tasks of that node together.
struct Shape {
  int tasks = 1, procs = 1;  // of each task
  int tasks_per_node = 0;    // exactly; 0: Slurm fills the nodes one after the other
  int least_nodes = 0;       // 0: as few as will do
  int most_nodes = 0;        // 0: as many as there are
};

/// Requires a job as_asked().  `largest`: the CPUs of the largest node.
Shape shape_of(const Job& job, int largest);

/// `amount` in so many equal parts, each rounded up.
inline int ceiling(std::int64_t amount, int parts) {
  const auto each = (amount + parts - 1) / parts;
  return static_cast<int>(each < std::numeric_limits<int>::max() ? each
                                                                 : std::numeric_limits<int>::max());
}

}  // namespace maui::slurm
