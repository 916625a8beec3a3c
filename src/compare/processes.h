// Runs in processes of their own, as many at once as there are processors.
//
// A run hands back text through a file that only the two processes see; how far it is stands in
// memory that they share.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "compare/run_variant.h"
#include "maui/result.h"

namespace maui::compare {

/// Makes one text; it hands its progress to `report_progress`, which returns whether to go on.
using Task =
    std::function<std::string(const std::function<bool(const Progress&)>& report_progress)>;

struct PoolOptions {
  int processes = 0;  // at most at once; 0: as many as there are processors
  /// Hears several times a second how far each task is, while any runs; may be empty.
  std::function<void(std::span<const Progress>)> watch;
};

/// The texts of the tasks in their order.  A task whose process ends otherwise than with a text is
/// an error that says how.  SIGINT and SIGTERM ask the tasks to stop: they hand back what they
/// have.
std::vector<Result<std::string>> run_in_processes(std::span<const Task> tasks,
                                                  const PoolOptions& options);

/// True if run_in_processes() was asked to stop.
bool was_interrupted();

}  // namespace maui::compare
