#include "profiler/profile.h"

#include <algorithm>
#include <utility>

#include "compare/distribution.h"
#include "compare/measures.h"
#include "history/completed_row.h"
#include "history/grid_reply.h"
#include "history/statistics_rows.h"

namespace maui::profiler {
namespace {

double slowdown(const RecordedJob& job) {
  compare::JobOutcome outcome;
  outcome.submitted = job.submitted;
  outcome.run = job.run();
  outcome.ended = job.ended;
  return compare::bounded_slowdown(outcome);
}

SpreadRow spread(std::string name, std::vector<double> values) {
  const auto found = compare::distribution_of(std::move(values));
  return {std::move(name), found.mean, found.median, found.p95, found.p99, found.worst};
}

}  // namespace

void Profile::add(const RecordedJob& job) {
  if (!options_.selection.admits(job)) return;
  totals_.add(job);
  if (options_.list) jobs_.push_back(completed_row(job));
  if (!job.ran()) return;
  const JobRun run = run_of(job);
  queue_hours_.push_back(run.queue / kHourSeconds);
  xfactors_.push_back(run.xfactor());
  slowdowns_.push_back(slowdown(job));
  bypasses_.push_back(run.bypass);
}

std::vector<SpreadRow> Profile::spreads() const {
  return {spread("queue_hours", queue_hours_), spread("xfactor", xfactors_),
          spread("slowdown", slowdowns_), spread("bypass", bypasses_)};
}

Result<ProfileReply> Profile::reply(std::int64_t procs) const {
  const JobSelection& asked = options_.selection;
  const bool any = totals_.all().jobs > 0;
  const Time since = asked.started_from > Time(0) ? asked.started_from
                     : any                        ? totals_.first()
                                                  : Time(0);
  const Time until = asked.ended_by < kForever ? asked.ended_by : totals_.last();
  const Period period{since, std::max(since, until)};
  ProfileReply reply = profile_of(totals_, period);
  if (procs > 0)
    reply.total_proc_hours =
        static_cast<double>(procs) * static_cast<double>(reply.until - reply.since) / kHourSeconds;
  if (any) reply.spreads = spreads();
  for (const auto kind : kCredentialKinds) {
    const bool wanted = options_.by.empty() ? !totals_.by(kind).empty()
                                            : std::find(options_.by.begin(), options_.by.end(),
                                                        kind) != options_.by.end();
    if (wanted) reply.credentials.push_back(credential_statistics(totals_, kind, period));
  }
  for (const auto& statistic : options_.statistics) {
    auto grid = grid_reply("profiler", statistic, totals_.grid(), period);
    if (!grid) return grid.error();
    reply.grids.push_back(*std::move(grid));
  }
  reply.jobs = jobs_;
  return reply;
}

}  // namespace maui::profiler
