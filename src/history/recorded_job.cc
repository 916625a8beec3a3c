#include "history/recorded_job.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/host_range.h"
#include "base/percent.h"
#include "sim/trace_fields.h"

namespace maui {
namespace {

double seconds(Seconds duration) { return static_cast<double>(duration.raw()); }

}  // namespace

Seconds RecordedJob::wait() const {
  return std::max((ran() ? started : ended) - submitted, Seconds(0));
}

RecordedJob recorded_job(const WorkloadRecord& record) {
  const JobReport& report = record.report;
  RecordedJob job;
  job.name = report.name;
  job.who[CredentialKind::user] = report.user;
  job.who[CredentialKind::group] = report.group;
  job.who[CredentialKind::account] = report.account;
  job.who[CredentialKind::qos] = record.qos;
  job.who[CredentialKind::job_class] = report.job_class;
  job.partition = report.partition;
  job.hosts = record.hosts;
  job.state = record.final_state;
  job.procs = report.request.total_procs();
  job.limit = report.request.limit;
  job.submitted = report.job.submitted;
  job.started = job.ran() ? record.started : Time(0);
  job.ended = record.ended;
  job.suspended = job.ran() ? record.suspended : Seconds(0);
  job.proc_seconds = job.ran() && report.job.recorded ? report.job.recorded->proc_seconds : 0;
  job.backfilled = record.backfilled;
  job.bypass = record.bypass;
  return job;
}

RecordedJob recorded_job(const SwfJob& logged, const SwfHeader& header) {
  const JobReport report = report_of(logged, header, {});
  RecordedJob job;
  job.name = report.name;
  job.who[CredentialKind::user] = report.user;
  job.who[CredentialKind::group] = report.group;
  job.who[CredentialKind::job_class] = class_of(logged);
  job.state = logged.cancelled ? JobState::removed : JobState::completed;
  job.procs = logged.given;
  job.limit = Seconds(logged.limit);
  job.submitted = report.job.submitted;
  job.started = job.submitted + Seconds(std::max<std::int64_t>(logged.wait, 0));
  job.ended = job.started + Seconds(logged.ran);
  job.proc_seconds =
      logged.cpu >= 0 ? logged.cpu * logged.given : static_cast<double>(logged.ran * logged.given);
  return job;
}

RecordedJob recorded_job(const LoggedJob& logged) {
  RecordedJob job;
  job.name = logged.name;
  job.who[CredentialKind::user] = logged.user;
  job.who[CredentialKind::group] = logged.group;
  job.who[CredentialKind::account] = logged.account;
  job.who[CredentialKind::qos] = logged.qos;
  job.who[CredentialKind::job_class] = logged.job_class;
  job.hosts = logged.hosts;
  job.state = logged.cancelled ? JobState::removed : JobState::completed;
  job.procs = std::int64_t{logged.tasks} * logged.procs;
  job.limit = logged.limit;
  job.submitted = logged.submitted;
  job.started = logged.started;
  job.ended = logged.ended;
  job.proc_seconds = logged.cpu_time ? seconds(*logged.cpu_time)
                                     : static_cast<double>(job.procs) * seconds(logged.run());
  return job;
}

std::string main_host(const RecordedJob& job) {
  std::string_view list = job.hosts;
  const auto first = take_item(list, ':');
  const auto name = first_host(first);
  return !name || first == kNoValue ? std::string() : percent_unescaped(*name);
}

std::int64_t node_count(const RecordedJob& job) {
  std::int64_t count = 0;
  if (job.hosts == kNoValue) return count;
  for (std::string_view list = job.hosts; !list.empty();)
    count += static_cast<std::int64_t>(count_hosts(take_item(list, ':')));
  return count;
}

JobRun run_of(const RecordedJob& job) {
  JobRun run;
  run.queue = seconds(job.wait());
  run.run = seconds(job.run());
  run.limit = std::max(1.0, job.limit > Seconds(0) ? seconds(job.limit) : run.run);
  run.procs = static_cast<double>(job.procs);
  run.dedicated = run.procs * run.run;
  run.utilised = std::min(job.proc_seconds, run.dedicated);
  run.successful = job.state == JobState::completed;
  run.backfilled = job.backfilled;
  run.bypass = job.bypass;
  return run;
}

}  // namespace maui
