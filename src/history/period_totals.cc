#include "history/period_totals.h"

#include <algorithm>

#include "engine/accounts/service_targets.h"

namespace maui {

void PeriodTotals::add(const RecordedJob& job) {
  if (!job.ran()) {
    ++never_ran_;
    return;
  }
  first_ = std::min(first_, job.submitted);
  last_ = std::max(last_, job.ended);
  JobRun run = run_of(job);
  const auto name = [&](CredentialKind kind) -> std::string_view { return job.who[kind]; };
  run.on_target = service_targets(settings_, name).met_by(run);
  const JobTotals totals = totals_of(run);
  all_ += totals;
  for (const auto kind : kCredentialKinds)
    if (!job.who[kind].empty()) by_[kind][job.who[kind]] += totals;
  grid_.add(job.procs, Seconds(static_cast<std::int64_t>(run.limit)), totals);
}

}  // namespace maui
