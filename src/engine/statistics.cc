#include "engine/statistics.h"

#include <algorithm>
#include <optional>
#include <string>

#include "model/credentials.h"
#include "sched/rules/credential_attribute.h"

namespace maui {
namespace {

constexpr double kHour = 3600;

/// One run of a job as statistics see it.
struct Run {
  double queue = 0, run = 0, limit = 1;  // seconds
  double procs = 0;
  double dedicated = 0, utilised = 0;  // processor seconds since statistics began
  double xfactor() const { return (queue + run) / limit; }
};

Run run_of(const Cluster& cluster, const Job& job, Time until, Time since) {
  const Request& request = cluster.request(job.request);
  Run run;
  run.queue = static_cast<double>(std::max((job.started - job.submitted).raw(), std::int64_t{0}));
  run.run = static_cast<double>((until - job.started - job.suspended_time).raw());
  run.limit = static_cast<double>(std::max(request.limit.raw(), std::int64_t{1}));
  run.procs = request.total_procs();
  const Seconds counted = until - std::max(job.started, since) - job.suspended_time;
  run.dedicated = run.procs * static_cast<double>(std::max(counted.raw(), std::int64_t{0}));
  run.utilised = run.procs > 0 ? utilised_procs(cluster, job) * run.dedicated / run.procs : 0;
  return run;
}

/// The value of `attribute` for a credential of that name, or for DEFAULT.
template <class T>
std::optional<T> setting(const CredentialTable& table, const std::string& name,
                         std::optional<T> CredentialSettings::*attribute) {
  for (const std::string_view key : {std::string_view(name), std::string_view("DEFAULT")})
    if (const auto at = table.find(key); at != table.end() && at->second.*attribute)
      return at->second.*attribute;
  return std::nullopt;
}

template <class T>
std::optional<T> target(const Cluster& cluster, const Settings& settings, const Credentials& who,
                        std::optional<T> CredentialSettings::*attribute) {
  const auto of = [&](CredentialKind kind) -> std::optional<T> {
    const auto& table = table_of(settings, kind);
    const auto number = number_of(who, kind);
    if (table.empty() || number == kNoCredential) return std::nullopt;
    return setting(table, credential_name(cluster, kind, number), attribute);
  };
  return tightest<T>(of, settings.system.*attribute);
}

bool on_target(const Cluster& cluster, const Settings& settings, const Job& job, const Run& run) {
  using C = CredentialSettings;
  const auto queue_time = target(cluster, settings, job.credentials, &C::queue_time_target);
  const auto xfactor = target(cluster, settings, job.credentials, &C::xfactor_target);
  return (!queue_time || run.queue <= static_cast<double>(queue_time->raw())) &&
         (!xfactor || run.xfactor() <= *xfactor);
}

JobTotals completed(const Run& run, const Job& job, bool on_target) {
  JobTotals t;
  const bool backfilled = has(job.flags, JobFlag::backfill);
  t.jobs = 1;
  t.successful = job.state == JobState::completed ? 1 : 0;
  t.backfilled = backfilled ? 1 : 0;
  t.on_target = on_target ? 1 : 0;
  t.queue_hours = t.max_queue_hours = run.queue / kHour;
  t.xfactor = t.max_xfactor = run.xfactor();
  t.xfactor_proc_seconds = t.xfactor * run.dedicated;
  t.xfactor_procs = t.xfactor * run.procs;
  t.procs = run.procs;
  t.bypass = t.max_bypass = job.bypass;
  t.requested_proc_seconds = run.limit * run.procs;
  t.run_proc_seconds = run.run * run.procs;
  t.completed_proc_seconds = t.dedicated_proc_seconds = run.dedicated;
  t.backfilled_proc_seconds = backfilled ? run.dedicated : 0;
  t.utilised_proc_seconds = run.utilised;
  t.run_seconds = run.run;
  t.limit_seconds = run.limit;
  t.accuracy = run.run / run.limit;
  return t;
}

/// Calls `add` with the totals of everybody and of each of the job's credentials.
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

// A trace tells what was used in the recorded run; this one may be shorter (CPU scaling, an early
// end).
double utilised_procs(const Cluster& cluster, const Job& job) {
  if (!job.recorded || job.recorded->proc_seconds <= 0 || job.recorded->run_time.raw() <= 0)
    return job.average_procs() > 0 ? job.average_procs()
                                   : cluster.request(job.request).total_procs();
  return job.recorded->proc_seconds / static_cast<double>(job.recorded->run_time.raw());
}

double busy_procs(const Cluster& cluster, const Job& job) {
  const bool told = job.use.procs > 0 || job.use.cpu_seconds > 0;
  return told && !job.recorded ? job.use.procs : utilised_procs(cluster, job);
}

void Statistics::account_interval(const Cluster& cluster, Seconds interval) {
  available_proc_seconds +=
      static_cast<double>(interval.raw()) * static_cast<double>(cluster.counts().available_procs);
}

void Statistics::account_lost_run(const Cluster& cluster, JobId id, Time until) {
  const Job& job = cluster.job(id);
  const Run run = run_of(cluster, job, until, since);
  for_credentials(*this, job.credentials, [&](JobTotals& totals) {
    totals.dedicated_proc_seconds += run.dedicated;
    totals.utilised_proc_seconds += run.utilised;
  });
}

void Statistics::account_completion(const Cluster& cluster, const Settings& settings, JobId job) {
  const Job& ended = cluster.job(job);
  const Run run = run_of(cluster, ended, ended.ended, since);
  const JobTotals one = completed(run, ended, on_target(cluster, settings, ended, run));
  for_credentials(*this, ended.credentials, [&](JobTotals& totals) { totals += one; });
  const Request& request = cluster.request(ended.request);
  grid.add(request.total_procs(), request.limit, one);
}

void Statistics::account_forecasts(const Credentials& who, const ForecastTotals& one) {
  forecasts.all += one;
  if (who.user.valid()) forecasts.users[who.user] += one;
  if (who.job_class.valid()) forecasts.classes[who.job_class] += one;
}

void Statistics::restart(const Settings& settings, Time now) {
  *this = {};
  since = now;
  restart_grid(settings.display.plot, now);
}

void Statistics::restart_grid(const PlotSettings& plot, Time now) {
  grid = Grid(plot);
  grid_since = now;
}

void Statistics::account_iteration(const Cluster& cluster, std::int64_t iteration) {
  const Cluster::Counts& counts = cluster.counts();
  ++iterations;
  backlog_proc_hours += static_cast<double>(counts.waiting_proc_seconds) / kHour;
  const bool jobs_have_started = counts.held_procs > 0 || all.jobs > 0;
  if (!jobs_have_started || counts.available_procs == 0) return;
  const double utilisation =
      static_cast<double>(counts.held_procs) / static_cast<double>(counts.available_procs);
  if (utilisation >= min_utilisation) return;
  min_utilisation = utilisation;
  min_utilisation_iteration = iteration;
}

Statistics Statistics::to_date(const Cluster& cluster, Time now) const {
  Statistics result = *this;
  const auto add = [&](const Job& job, Time until) {
    const Run run = run_of(cluster, job, until, since);
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
