// Converts a job's request to requirements of equal tasks, and a placement to the notation of the
// job's server.
//
// With nodes=, a task is a slot (processor), as in release 3.3; with select=, or if the job asks
// for GPUs, a task is a chunk.  Chunks of several kinds with place=pack are one task, because all
// of them must be on one node.
#pragma once
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "maui/result.h"
#include "pbs/attribute.h"
#include "pbs/dialect.h"
#include "pbs/shape.h"

namespace maui::pbs {

/// The tasks of one requirement.
struct Portion {
  Chunk chunk;  // the chunk that the tasks come from
  int tasks = 1;
  int tasks_per_node = 0;
  int procs = 1;                        // of each task
  int least_nodes = 0, most_nodes = 0;  // 0: any number
  /// The chunks of each task by kind: the resources that OpenPBS counts, and the number of chunks.
  std::vector<std::pair<std::string, int>> chunks{{std::string(), 1}};
  friend bool operator==(const Portion&, const Portion&) = default;
};

struct Wish {
  std::vector<Portion> portions;
  Place place;
  bool apart = false;  // no node serves two portions
};

/// Returns what a job asks for.  Fails if its request is invalid.
Result<Wish> wish_of(const Object& job);

/// Returns the destination of a start from `tasks`, a node name for each task in the order of the
/// portions.  Requires one name per task.
std::string destination(const Wish& wish, std::span<const std::string> tasks, Dialect dialect);

/// Returns the node names of a running job, one for each task.
std::vector<std::string> tasks_of(const Object& job, const Wish& wish);

}  // namespace maui::pbs
