// Turns what a job asks for into requirements of equal tasks, and where its tasks are to start into
// the words of its server.
//
// With nodes=, a task is a slot (processor), as release 3.3 counts; where the job asks for GPUs and
// with select=, a task is a chunk.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "maui/result.h"
#include "pbs/attribute.h"
#include "pbs/dialect.h"
#include "pbs/shape.h"

namespace maui::pbs {

/// The tasks of one requirement.
struct Portion {
  Chunk chunk;  // that its tasks are of
  int tasks = 1;
  int tasks_per_node = 0;
  int procs = 1;                        // of each task
  int least_nodes = 0, most_nodes = 0;  // 0: any number
};

struct Wish {
  std::vector<Portion> portions;
  Place place;
};

/// Returns what a job asks for.  Fails on what cannot be understood.
Result<Wish> wish_of(const Object& job);

/// Returns where a job starts: a name for each task, the portions in their order.  Requires a task
/// for each name.
std::string destination(const Wish& wish, std::span<const std::string> tasks, Dialect dialect);

/// The names of the nodes of a job that runs, one for each of its tasks.
std::vector<std::string> tasks_of(const Object& job, const Wish& wish);

}  // namespace maui::pbs
