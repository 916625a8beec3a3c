#include "history/statistics_rows.h"

#include <algorithm>

#include "maui/units.h"

namespace maui {
namespace {

std::string_view credential_word(CredentialKind kind) {
  switch (kind) {
    case CredentialKind::user:
      return "user";
    case CredentialKind::group:
      return "group";
    case CredentialKind::account:
      return "acct";
    case CredentialKind::qos:
      return "qos";
    case CredentialKind::job_class:
      return "class";
  }
  return {};
}

}  // namespace

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

double share(double part, double whole) { return whole > 0 ? 100 * part / whole : -1; }

void add_completed(CredentialRow& row, const JobTotals& totals) {
  const auto jobs = static_cast<double>(totals.jobs);
  row.jobs = totals.jobs;
  row.requested_proc_hours = totals.requested_proc_seconds / kHourSeconds;
  row.dedicated_proc_hours = totals.dedicated_proc_seconds / kHourSeconds;
  row.average_xfactor = ratio(totals.xfactor, jobs);
  row.max_xfactor = totals.max_xfactor;
  row.average_queue_hours = ratio(totals.queue_hours, jobs);
  row.efficiency = share(totals.utilised_proc_seconds, totals.dedicated_proc_seconds);
  row.accuracy = share(totals.accuracy, jobs);
}

ProfileReply profile_of(const PeriodTotals& totals, const Period& period) {
  const JobTotals& all = totals.all();
  const auto jobs = static_cast<double>(all.jobs);
  ProfileReply reply;
  reply.since = period.start.raw();
  reply.until = period.end.raw();
  reply.completed_jobs = all.jobs;
  reply.successful_jobs = all.successful;
  reply.backfilled_jobs = all.backfilled;
  reply.never_ran_jobs = totals.never_ran();
  reply.requested_proc_hours = all.requested_proc_seconds / kHourSeconds;
  reply.dedicated_proc_hours = all.dedicated_proc_seconds / kHourSeconds;
  reply.wallclock_accuracy = share(all.accuracy, jobs);
  reply.job_efficiency = share(all.utilised_proc_seconds, all.dedicated_proc_seconds);
  const auto spread = [&](const char* name, double sum, double worst) {
    SpreadRow row;
    row.name = name;
    row.mean = ratio(sum, jobs);
    row.worst = worst;
    return row;
  };
  reply.spreads = {spread("queue_hours", all.queue_hours, all.max_queue_hours),
                   spread("xfactor", all.xfactor, all.max_xfactor),
                   spread("bypass", all.bypass, all.max_bypass)};
  return reply;
}

CredentialStatisticsReply credential_statistics(const PeriodTotals& totals, CredentialKind kind,
                                                const Period& period) {
  CredentialStatisticsReply reply;
  reply.kind = credential_word(kind);
  reply.since = period.start.raw();
  reply.until = period.end.raw();
  reply.completed_jobs = totals.all().jobs;
  reply.requested_proc_hours = totals.all().requested_proc_seconds / kHourSeconds;
  reply.dedicated_proc_hours = totals.all().dedicated_proc_seconds / kHourSeconds;
  for (const auto& [name, sums] : totals.by(kind)) {
    CredentialRow row;
    row.name = name;
    add_completed(row, sums);
    reply.rows.push_back(std::move(row));
  }
  std::stable_sort(reply.rows.begin(), reply.rows.end(), [](const auto& a, const auto& b) {
    return a.dedicated_proc_hours > b.dedicated_proc_hours;
  });
  return reply;
}

}  // namespace maui
