#include "cmd/facts/history_facts.h"

#include "cmd/access.h"
#include "history/completed_row.h"

namespace maui {

CompletedRow completed_row(const history::KnownJob& known) {
  CompletedRow row = completed_row(known.job);
  row.exit_code = known.exit_code;
  return row;
}

std::vector<WaitPeriod> wait_periods(const std::vector<history::Wait>& waits) {
  std::vector<WaitPeriod> periods;
  for (const auto& wait : waits) periods.push_back({wait.reason, wait.start.raw(), wait.end.raw()});
  return periods;
}

std::optional<history::KnownJob> job_of_history(const Context& context, std::string_view name) {
  const auto reader = context.server.history();
  if (reader == nullptr) return std::nullopt;
  const std::string user = is_admin(context, 3) ? std::string() : context.request.user;
  auto found = history::find_job(reader, std::string(name), user);
  if (!found) return std::nullopt;
  if (*found) return *std::move(found);
  std::optional<history::KnownJob> last;
  auto numbered = history::NumberedNames::open(reader);
  if (!numbered) return std::nullopt;
  const auto names = numbered->of(std::string(name));
  if (!names) return std::nullopt;
  for (const auto& full : *names)
    if (auto job = history::find_job(reader, full, user);
        job && *job && (!last || last->job.ended < (*job)->job.ended))
      last = *std::move(job);
  return last;
}

}  // namespace maui
