#include "daemon/relearn.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <vector>

#include "base/text.h"
#include "sim/ended_runs.h"
#include "sim/given_files.h"
#include "sim/trace_summary.h"

namespace maui {

Status relearn(Engine& engine, const std::vector<std::string>& files,
               const std::function<void(std::string_view line)>& log) {
  std::vector<EndedRun> learned;
  const Time oldest = engine.now() - engine.settings().learning.history_age;
  GivenFiles given(files);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string& path = files[i];
    if (const auto again = given.given_before(i)) {
      log("WARNING: " + *again);
      continue;
    }
    TraceSummary summary;
    const auto runs = read_ended_runs(path, summary);
    if (!runs) return Error{fmt::format("--relearn: {}", runs.error().what)};
    for (const std::string& problem : summary.problems) log("WARNING: " + problem);
    std::size_t old = 0;
    for (const EndedRun& job : *runs) {
      if (job.ended < oldest)
        ++old;
      else
        learned.push_back(job);
    }
    if (old > 0)
      log(fmt::format("WARNING: {} of '{}' ended longer ago than HISTORYAGE and {} ignored",
                      counted(old, "job"), path, by_number(old, "is", "are")));
    log(fmt::format("run times of {} were learned from '{}'", counted(runs->size() - old, "job"),
                    path));
  }
  if (learned.empty())
    return Error{"--relearn: these files have no jobs to learn from; learned run times are kept"};
  engine.forget_learned();
  for (const EndedRun& job : learned)
    engine.learn({job.user, job.name, job.procs, job.limit}, job.run, job.ended);
  return Done{};
}

}  // namespace maui
