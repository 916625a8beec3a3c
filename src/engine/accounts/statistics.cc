#include "engine/accounts/statistics.h"

#include <algorithm>
#include <string_view>

#include "engine/accounts/service_targets.h"
#include "model/busy_procs.h"
#include "model/credentials.h"
#include "model/job_dates.h"

namespace maui {
namespace {

constexpr double kHour = 3600;

JobRun run_of(const Statistics& statistics, const Cluster& cluster, const Job& job, Time until) {
  const Request& request = cluster.request(job.request);
  JobRun run;
  const JobDates dates = dates_of(job);
  run.queue = static_cast<double>((dates.started - dates.submitted).raw());
  run.run = static_cast<double>((until - job.started - job.suspended_time).raw());
  run.limit = static_cast<double>(std::max(request.limit.raw(), std::int64_t{1}));
  run.procs = request.total_procs();
  const auto before = statistics.run_before.find(job.name);
  const Seconds ran_before = before == statistics.run_before.end() ? Seconds(0) : before->second;
  const Seconds counted = until - job.started - job.suspended_time - ran_before;
  run.dedicated = run.procs * static_cast<double>(std::max(counted.raw(), std::int64_t{0}));
  run.utilised = run.procs > 0 ? utilised_procs(cluster, job) * run.dedicated / run.procs : 0;
  return run;
}

bool on_target(const Cluster& cluster, const Settings& settings, const Job& job,
               const JobRun& run) {
  const auto name = [&](CredentialKind kind) -> std::string_view {
    const auto number = number_of(job.credentials, kind);
    return number == kNoCredential ? std::string_view() : credential_name(cluster, kind, number);
  };
  return service_targets(settings, name).met_by(run);
}

/// Calls `add` with the totals of all jobs and with those of each of the job's credentials.
template <class F>
void for_credentials(Statistics& statistics, const Credentials& who, F add) {
  add(statistics.all);
  if (who.user.valid()) add(statistics.users[who.user]);
  if (who.group.valid()) add(statistics.groups[who.group]);
  if (who.account.valid()) add(statistics.accounts[who.account]);
  if (who.job_class.valid()) add(statistics.classes[who.job_class]);
  if (who.qos.valid()) add(statistics.qos[who.qos]);
}

}  // namespace

void Statistics::account_interval(const Cluster& cluster, Seconds interval) {
  available_proc_seconds +=
      static_cast<double>(interval.raw()) * static_cast<double>(cluster.counts().procs_up());
}

void Statistics::account_lost_run(const Cluster& cluster, JobId id, Time until) {
  const Job& job = cluster.job(id);
  const JobRun run = run_of(*this, cluster, job, until);
  run_before.erase(job.name);
  for_credentials(*this, job.credentials, [&](JobTotals& totals) {
    totals.dedicated_proc_seconds += run.dedicated;
    totals.utilised_proc_seconds += run.utilised;
  });
}

void Statistics::account_completion(const Cluster& cluster, const Settings& settings, JobId job) {
  const Job& ended = cluster.job(job);
  JobRun run = run_of(*this, cluster, ended, ended.ended);
  run_before.erase(ended.name);
  run.successful = ended.state == JobState::completed;
  run.backfilled = has(ended.flags, JobFlag::backfill);
  run.on_target = on_target(cluster, settings, ended, run);
  run.bypass = cluster.bypasses(job);
  const JobTotals run_totals = totals_of(run);
  for_credentials(*this, ended.credentials, [&](JobTotals& totals) { totals += run_totals; });
  const Request& request = cluster.request(ended.request);
  grid.add(request.total_procs(), request.limit, run_totals);
}

void Statistics::account_forecasts(const Credentials& who, const ForecastTotals& totals) {
  forecasts.all += totals;
  if (who.user.valid()) forecasts.users[who.user] += totals;
  if (who.job_class.valid()) forecasts.classes[who.job_class] += totals;
}

void Statistics::restart(const Cluster& cluster, const Settings& settings, Time now) {
  *this = {};
  since = now;
  for (const Active& row : cluster.active()) note_run_before(cluster.job(row.job));
  for (const JobId id : cluster.suspended()) note_run_before(cluster.job(id));
  restart_grid(settings.display.plot, now);
}

void Statistics::note_run_before(const Job& job) {
  if (job.state == JobState::starting) return;
  const Time until = std::min(since, job.suspended_since);
  if (const Seconds run = until - job.started - job.suspended_time; run > Seconds(0))
    run_before.try_emplace(job.name, run);
}

void Statistics::restart_grid(const PlotSettings& plot, Time now) {
  grid = Grid(plot);
  grid_since = now;
}

void Statistics::account_iteration(const Cluster& cluster, std::int64_t iteration) {
  const ClusterCounts& counts = cluster.counts();
  ++iterations;
  backlog_proc_hours += static_cast<double>(counts.waiting_proc_seconds) / kHour;
  const bool jobs_have_started = counts.held_procs > 0 || all.jobs > 0;
  if (!jobs_have_started || counts.procs_up() == 0) return;
  const double utilisation =
      static_cast<double>(counts.held_procs) / static_cast<double>(counts.procs_up());
  if (utilisation >= min_utilisation) return;
  min_utilisation = utilisation;
  min_utilisation_iteration = iteration;
}

Statistics Statistics::to_date(const Cluster& cluster, Time now) const {
  Statistics result = *this;
  const auto add = [&](const Job& job, Time until) {
    const JobRun run = run_of(*this, cluster, job, until);
    for_credentials(result, job.credentials, [&](JobTotals& totals) {
      totals.dedicated_proc_seconds += run.dedicated;
      totals.utilised_proc_seconds += run.utilised;
    });
  };
  for (const Active& row : cluster.active())
    if (cluster.job(row.job).state != JobState::starting) add(cluster.job(row.job), now);
  for (const JobId id : cluster.suspended()) add(cluster.job(id), cluster.job(id).suspended_since);
  return result;
}

}  // namespace maui
