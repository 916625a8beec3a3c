#include "engine/statistics.h"

#include <algorithm>

namespace maui {
namespace {

constexpr double kHour = 3600;

/// One run of a job as statistics see it.
struct Run {
  double queue = 0, run = 0, limit = 1;  // seconds
  double procs = 0;
  double dedicated = 0, utilised = 0;  // processor seconds since statistics began
};

Run run_of(const Cluster& cluster, const Job& job, Time until, Time since) {
  const Request& request = cluster.request(job.request);
  Run run;
  run.queue = static_cast<double>(std::max((job.started - job.queued).raw(), std::int64_t{0}));
  run.run = static_cast<double>((until - job.started - job.suspended_time).raw());
  run.limit = static_cast<double>(std::max(request.limit.raw(), std::int64_t{1}));
  run.procs = request.total_procs();
  const Seconds counted = until - std::max(job.started, since) - job.suspended_time;
  run.dedicated = run.procs * static_cast<double>(std::max(counted.raw(), std::int64_t{0}));
  run.utilised = run.dedicated;
  // A trace tells what was used in the recorded run; this one may be shorter (CPU scaling, an
  // early end).  Without a record, what is dedicated counts as used.
  if (job.recorded && job.recorded->proc_seconds > 0 && job.recorded->run_time.raw() > 0) {
    const auto recorded = static_cast<double>(job.recorded->run_time.raw());
    const double rate = job.recorded->proc_seconds / recorded;
    run.utilised = run.procs > 0 ? rate * run.dedicated / run.procs : 0;
  }
  return run;
}

void add_completed(JobTotals& totals, const Run& run, const Job& job) {
  const double xfactor = (run.queue + run.run) / run.limit;
  ++totals.jobs;
  if (job.state == JobState::completed) ++totals.successful;
  totals.queue_hours += run.queue / kHour;
  totals.max_queue_hours = std::max(totals.max_queue_hours, run.queue / kHour);
  totals.xfactor += xfactor;
  totals.max_xfactor = std::max(totals.max_xfactor, xfactor);
  totals.xfactor_proc_seconds += xfactor * run.dedicated;
  totals.xfactor_procs += xfactor * run.procs;
  totals.procs += run.procs;
  totals.bypass += job.bypass;
  totals.max_bypass = std::max(totals.max_bypass, job.bypass);
  totals.requested_proc_seconds += run.limit * run.procs;
  totals.completed_proc_seconds += run.dedicated;
  totals.run_seconds += run.run;
  totals.limit_seconds += run.limit;
  totals.accuracy += run.run / run.limit;
}

void add_use(JobTotals& totals, const Run& run) {
  totals.dedicated_proc_seconds += run.dedicated;
  totals.utilised_proc_seconds += run.utilised;
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

void Statistics::account_interval(const Cluster& cluster, Seconds interval) {
  const auto seconds = static_cast<double>(interval.raw());
  dedicated_proc_seconds += seconds * static_cast<double>(cluster.counts().held_procs);
  available_proc_seconds += seconds * static_cast<double>(cluster.counts().available_procs);
}

void Statistics::account_completion(const Cluster& cluster, JobId job) {
  const Job& ended = cluster.job(job);
  const Run run = run_of(cluster, ended, ended.ended, since);
  for_credentials(*this, ended.credentials, [&](JobTotals& totals) {
    add_completed(totals, run, ended);
    add_use(totals, run);
  });
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
  for (const Active& row : cluster.active()) {
    const Job& job = cluster.job(row.job);
    const Run run = run_of(cluster, job, now, since);
    for_credentials(result, job.credentials, [&](JobTotals& totals) { add_use(totals, run); });
  }
  return result;
}

}  // namespace maui
