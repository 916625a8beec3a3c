#include "cmd/facts/ended_job_facts.h"

#include <algorithm>

#include "base/state_names.h"
#include "cmd/access.h"
#include "cmd/facts/reply_values.h"
#include "cmd/operands.h"

namespace maui {

const EndedJob* ended_job_named(const Context& context, std::string_view name, bool by_number) {
  const auto& ended = context.engine.ended_jobs();
  const auto job = std::find_if(ended.rbegin(), ended.rend(), [&](const EndedJob& candidate) {
    return (candidate.name == name || (by_number && has_number(candidate.name, name))) &&
           (is_admin(context, 3) || candidate.user == context.request.user);
  });
  return job == ended.rend() ? nullptr : &*job;
}

CompletedRow completed_row(const EndedJob& job) {
  CompletedRow row;
  row.name = job.name;
  row.user = job.user;
  row.group = or_none(job.group);
  row.account = or_none(job.account);
  row.job_class = or_none(job.job_class);
  row.qos = job.qos.empty() ? "DEFAULT" : job.qos;
  row.state = state_name(job.completed ? JobState::completed : JobState::removed);
  row.exit_code = job.exit_code;
  row.partition = job.partition;
  row.main_host = job.main_host;
  row.procs = job.procs;
  row.nodes = job.nodes;
  row.limit = raw(job.limit);
  row.run_time = job.run_time.raw();
  row.submitted = raw(job.submitted);
  row.ended = raw(job.ended);
  row.started = raw(job.started);
  row.backfilled = job.backfilled;
  if (job.shorter_limit > Seconds(0)) {
    row.shorter_limit = raw(job.shorter_limit);
    row.shorter_start = raw(job.shorter_start);
  }
  if (job.started >= kForever) return row;
  row.efficiency = 100 * job.efficiency;
  const auto waited = std::max<std::int64_t>((job.started - job.submitted).raw(), 0);
  const auto limit = static_cast<double>(std::max<std::int64_t>(job.limit.raw(), 1));
  row.xfactor = static_cast<double>(waited + job.run_time.raw()) / limit;
  return row;
}

}  // namespace maui
