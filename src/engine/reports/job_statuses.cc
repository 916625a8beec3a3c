#include "engine/reports/job_statuses.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "engine/accounts/job_ends.h"
#include "engine/actions/failed_starts.h"
#include "engine/actions/job_limits.h"
#include "engine/knowledge.h"
#include "engine/reports/job_doubts.h"
#include "engine/reports/running_jobs.h"
#include "engine/tools.h"
#include "model/placement.h"
#include "model/told_suspension.h"

namespace maui {

JobStatuses::JobStatuses(const EngineTools& tools, FailedStarts& failed_starts, JobEnds& job_ends,
                         JobLimits& job_limits, JobDoubts& doubts, RunningJobs& running_jobs)
    : tools_(tools),
      failed_starts_(failed_starts),
      job_ends_(job_ends),
      job_limits_(job_limits),
      doubts_(doubts),
      running_jobs_(running_jobs),
      cluster_(tools.known.cluster),
      rm_record_(tools.known.rm_record),
      refused_starts_(tools.known.refused_starts) {}

void JobStatuses::apply(const JobStatus& status) {
  const JobId id = cluster_.find_job(status.name);
  if (!id.valid()) return;
  doubts_.note_found(id, status.state);
  const Job& job = cluster_.job(id);
  if (status.use && job.active())
    job_limits_.note_use(id, *status.use, std::min(status.used_until, tools_.now()));
  // A server that refuses a start need not give the reason in its reports.
  const bool silent = status.waits_for && status.waits_for->empty();
  if (status.waits_for && !(silent && refused_starts_.keeps(cluster_, id, tools_.now())))
    cluster_.set_waits_for(id, *status.waits_for);
  if (status.holds) cluster_.set_holds_reported(id, *status.holds);
  if (status.state) apply_state(id, status);
  if (status.suspended_time && job.active()) note_suspended(id, *status.suspended_time);
}

/// The resource manager may have suspended the job for longer than its reports showed here.
void JobStatuses::note_suspended(JobId id, Seconds told) {
  const Job& job = cluster_.job(id);
  const auto in_run = told_suspension(told, job.began(), tools_.now());
  if (!in_run)
    tools_.log_report(job.resource_manager, 1, "fRM", [&] { return told_too_long(job.name); });
  if (!in_run || *in_run <= job.suspensions()) return;
  cluster_.set_suspended_time(id, *in_run + job.clock_set);
  tools_.known.requests.forget_lost_suspensions(job);
}

void JobStatuses::apply_state(JobId id, const JobStatus& status) {
  const Job& job = cluster_.job(id);
  if (*status.state == JobState::running && !status.task_list.empty())
    doubts_.end_earlier_run(id, status.started);
  if (job.waiting() && *status.state != JobState::idle)
    return running_jobs_.sync(id, {*status.state, status.task_list, status.started});
  doubts_.note_state(id, *status.state);
  if (job.active() && (*status.state == JobState::running || *status.state == JobState::starting))
    running_jobs_.note_where(id, status.task_list);
  const bool starts = *status.state == JobState::starting && job.active();
  if (job.state == JobState::starting && *status.state == JobState::running)
    running_jobs_.note_running(id, status.started == kForever ? job.started : status.started);
  else if (*status.state != job.state && !starts)
    return doubts_.note_unexpected(id, *status.state);
  doubts_.trust(id);
}

void JobStatuses::apply(const FailedStart& failed) {
  const JobId id = cluster_.find_job(failed.name);
  if (!id.valid() || !cluster_.job(id).active()) return;
  if (cluster_.job(id).state == JobState::starting)
    return failed_starts_.refused(id, failed.why, failed.obstacle, false);
  // The job was given its nodes but could not start on them.
  rm_record_.start_failed(tools_.now(), failed.why);
  auto nodes = nodes_of(cluster_.job(id).placement);
  doubts_.believe_idle(id, tools_.now());
  failed_starts_.count(id, failed.why, failed.obstacle, std::move(nodes), false);
}

void JobStatuses::apply(const JobEnd& ended) {
  const JobId id = cluster_.find_job(ended.name);
  // A job that was cancelled while it waited is no longer known.
  if (!id.valid()) return;
  if (cluster_.job(id).state == JobState::starting)
    failed_starts_.undo(id);  // its run was never reported
  doubts_.believe_last(id, ended.when);
  job_ends_.end_as_reported(id, ended);
}

}  // namespace maui
