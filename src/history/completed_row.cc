#include "history/completed_row.h"

#include "base/state_names.h"
#include "history/statistics_rows.h"

namespace maui {
namespace {

std::string or_none(const std::string& name) { return name.empty() ? "[NONE]" : name; }

}  // namespace

CompletedRow completed_row(const RecordedJob& job) {
  CompletedRow row;
  row.name = job.name;
  row.user = job.who[CredentialKind::user];
  row.group = job.who[CredentialKind::group];
  row.account = or_none(job.who[CredentialKind::account]);
  row.job_class = or_none(job.who[CredentialKind::job_class]);
  const auto& qos = job.who[CredentialKind::qos];
  row.qos = qos.empty() ? "DEFAULT" : qos;
  row.state =
      state_name(job.state == JobState::completed ? JobState::completed : JobState::removed);
  row.partition = job.partition;
  row.procs = job.procs;
  row.limit = job.limit > Seconds(0) && job.limit < kUnlimited ? job.limit.raw() : -1;
  row.submitted = job.submitted.raw();
  row.ended = job.ended.raw();
  if (!job.ran()) return row;
  row.main_host = main_host(job);
  row.nodes = node_count(job);
  row.started = job.started.raw();
  row.run_time = job.run().raw();
  row.backfilled = job.backfilled;
  const JobRun run = run_of(job);
  row.efficiency = run.dedicated > 0 ? share(run.utilised, run.dedicated) : 100;
  row.xfactor = run.xfactor();
  return row;
}

}  // namespace maui
