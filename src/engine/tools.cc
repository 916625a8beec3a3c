#include "engine/tools.h"

#include <fmt/format.h>

#include "engine/engine_observer.h"
#include "engine/knowledge.h"

namespace maui {

EngineTools::JobLabel EngineTools::label(const Job& job) const {
  return {job.name, known.cluster.users[job.credentials.user]};
}

Error not_done(std::string_view action, const Error& error) {
  if (!error.unanswered) return {fmt::format("cannot {}: {}", action, error.what)};
  return {fmt::format(
              "the request to {} was not answered, and it is not known whether that was done: {}",
              action, error.what),
          true};
}

void EngineTools::log_refusal(std::string_view action, const JobLabel& job,
                              const Error& error) const {
  journal.log_of(LineCause::refusal, job.user, 0, "fRM", [&] {
    return "ERROR: " + not_done(fmt::format("{} '{}'", action, job.name), error).what;
  });
}

std::set<std::string> EngineTools::managers() const {
  std::set<std::string> names;
  for (const RmRecord& record : rm.records()) names.insert(record.name);
  if (names.empty()) names.emplace(rm.name());
  return names;
}

std::string EngineTools::manager_of(const Job& job) const {
  return job.resource_manager.empty() ? std::string(rm.name()) : job.resource_manager;
}

ResourceManager& EngineTools::asked() const {
  known.managers.note_request();
  return rm;
}

void EngineTools::after_others(std::function<void()> next) const {
  if (!observer.pause(next)) next();
}

void EngineTools::go_on_in_slices(std::function<bool()> step, std::function<void()> next) const {
  do {
    if (observer.pause([this, step, next] { in_slices(step, next); })) return;
  } while (!step());
  next();
}

}  // namespace maui
