#include "daemon/relearn.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/text.h"
#include "sim/ended_runs.h"
#include "sim/given_files.h"
#include "sim/trace_summary.h"

namespace maui {
namespace {

std::string nothing_to_learn(const std::map<std::string, std::int64_t>& ignored) {
  std::vector<std::string> reasons;
  for (const auto& [reason, jobs] : ignored)
    reasons.push_back(fmt::format("{} {}", counted(jobs, "job"), reason));
  return fmt::format(
      "--relearn: these files have no jobs to learn from{}{}; learned run times are kept",
      reasons.empty() ? "" : ": ", join(reasons, ", "));
}

}  // namespace

Status relearn(Engine& engine, const std::vector<std::string>& files,
               const std::function<void(std::string_view line)>& log) {
  std::vector<EndedRun> learned;
  std::map<std::string, std::int64_t> ignored;  // number of jobs, by reason
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
    const std::size_t before = learned.size();
    for (const EndedRun& job : *runs) {
      if (job.ended < oldest)
        summary.skip("ended longer ago than HISTORYAGE", job.name);
      else
        learned.push_back(job);
    }
    for (const auto& [reason, skipped] : summary.skipped_because) {
      log(fmt::format("WARNING: {} of '{}' {} and {} ignored", counted(skipped.jobs, "job"), path,
                      reason, by_number(skipped.jobs, "is", "are")));
      ignored[reason] += skipped.jobs;
    }
    log(fmt::format("run times of {} were learned from '{}'",
                    counted(learned.size() - before, "job"), path));
  }
  if (learned.empty()) return Error{nothing_to_learn(ignored)};
  engine.forget_learned();
  for (const EndedRun& job : learned)
    engine.learn({job.user, job.name, job.procs, job.limit}, job.run, job.ended);
  return Done{};
}

}  // namespace maui
