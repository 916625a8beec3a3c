// Runs tasks in separate processes, as many at a time as there are processors.
//
// A task returns text through a file that only the two processes can access, and reports its
// progress through shared memory.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "compare/run_variant.h"
#include "maui/result.h"

namespace maui::compare {

/// Returns a text; calls `report_progress`, whose result is false if the task should stop.
using Task =
    std::function<std::string(const std::function<bool(const Progress&)>& report_progress)>;

struct PoolOptions {
  int processes = 0;  // the most at one time; 0: one per processor
  /// Called several times per second with the progress of each task; may be empty.
  std::function<void(std::span<const Progress>)> watch;
};

/// Returns the texts of the tasks, in their order.  If a task's process ends without a text, its
/// result is an error that says how the process ended.  SIGINT and SIGTERM ask the tasks to stop
/// and return what they have so far.
std::vector<Result<std::string>> run_in_processes(std::span<const Task> tasks,
                                                  const PoolOptions& options);

/// True if run_in_processes() was asked to stop.
bool was_interrupted();

}  // namespace maui::compare
