#include "engine/reports/manager_answers.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "engine/accounts/job_ends.h"
#include "engine/knowledge.h"
#include "engine/tools.h"

namespace maui {

ManagerAnswers::ManagerAnswers(const EngineTools& tools, JobEnds& job_ends)
    : tools_(tools), job_ends_(job_ends), managers_(tools.known.managers) {}

void ManagerAnswers::note_unreachable(const std::vector<UnreachableManager>& now_silent) {
  std::vector<std::string> names;
  for (const UnreachableManager& manager : now_silent) {
    names.push_back(manager.manager);
    if (managers_.silent(manager.manager)) continue;
    const auto text = [&] {
      return fmt::format("resource manager '{}' does not answer: {}", manager.manager, manager.why);
    };
    tools_.log(0, "fRM", [&] { return "ERROR: " + text(); });
    tools_.journal.notify(EventType::rm_failure, [&] { return std::vector<std::string>{text()}; });
  }
  managers_.set_silent(std::move(names));
}

void ManagerAnswers::note_heard() {
  const auto records = tools_.rm.records();
  for (const RmRecord& record : records) managers_.note_heard(record.name, tools_.now());
  if (records.empty()) managers_.note_heard(std::string(tools_.rm.name()), tools_.now());
  job_ends_.forget_accounted();
}

}  // namespace maui
