#include "engine/reports/manager_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "engine/accounts/job_ends.h"
#include "engine/knowledge.h"
#include "engine/tools.h"

namespace maui {

ManagerAnswers::ManagerAnswers(const EngineTools& tools, JobEnds& job_ends)
    : tools_(tools),
      job_ends_(job_ends),
      managers_(tools.known.managers),
      requests_(tools.known.requests) {}

void ManagerAnswers::note_unreachable(const std::vector<UnreachableManager>& now_silent) {
  std::vector<std::string> names;
  const auto late_before = std::exchange(late_, {});
  for (const UnreachableManager& manager : now_silent) {
    names.push_back(manager.manager);
    if (manager.late) {
      note_late(manager.manager);
      continue;
    }
    managers_.note_failure(manager.manager);
    if (managers_.silent(manager.manager) && !late_before.contains(manager.manager)) continue;
    const auto text = [&] {
      return fmt::format("resource manager '{}' does not answer: {}", manager.manager, manager.why);
    };
    tools_.log(0, "fRM", [&] { return "ERROR: " + text(); });
    tools_.journal.notify(EventType::rm_failure, [&] { return std::vector<std::string>{text()}; });
  }
  managers_.set_silent(std::move(names));
}

void ManagerAnswers::note_late(const std::string& manager) {
  late_.insert(manager);
  constexpr Seconds kSilence{3600};
  const auto [at, first] = told_late_.try_emplace(manager, tools_.now());
  if (!first && at->second <= tools_.now() && tools_.now() - at->second < kSilence) return;
  at->second = tools_.now();
  tools_.log_report(manager, 0, "fRM", [&] {
    return fmt::format(
        "WARNING: resource manager '{}' is slow to answer: iterations do not wait for it, and its "
        "nodes take new jobs only when it has answered",
        manager);
  });
}

// An answer may be as old as the request for it.  One that was late was asked for before this poll.
void ManagerAnswers::note_heard() {
  const auto records = tools_.rm.records();
  const Time since = tools_.known.rm_record.asked;
  for (const RmRecord& record : records)
    managers_.note_heard(record.name,
                         record.asked < Time(0) ? since : std::min(record.asked, since));
  if (records.empty()) managers_.note_heard(std::string(tools_.rm.name()), since);
  // Jobs that its list omits may be those of others.
  for (const RmRecord& record : records)
    if (managers_.has_listed(record.name))
      tools_.known.cluster.awaited_jobs.drop_manager(record.name);
  requests_.forget_lost(
      [this](const RunKey& run, Time asked) { return is_reported_since(run, asked); });
  job_ends_.forget_accounted();
}

/// True if a report that was asked for after that time tells of the job, or if the job is gone.
bool ManagerAnswers::is_reported_since(const RunKey& run, Time asked) const {
  const Cluster& cluster = tools_.known.cluster;
  return !cluster.still(run.job, run.arrival) ||
         (asked < tools_.known.rm_record.asked &&
          managers_.lists_all_jobs(cluster.job(run.job).resource_manager));
}

}  // namespace maui
