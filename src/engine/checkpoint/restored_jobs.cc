#include "engine/checkpoint/restored_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "engine/accounts/given_back_runs.h"
#include "engine/actions/failed_starts.h"
#include "engine/actions/holds.h"
#include "engine/checkpoint/pending_restore.h"
#include "engine/knowledge.h"
#include "engine/reports/entitlements.h"
#include "engine/reports/job_doubts.h"
#include "engine/reports/running_jobs.h"
#include "engine/tools.h"
#include "model/placement.h"
#include "model/told_suspension.h"
#include "sched/placement/feasibility.h"
#include "sched/rules/partition_policies.h"

namespace maui {
namespace {

/// True if what began then can be no later run than the one about which a request was made.
bool surely_is_that_run(const Job& was, Time started, Time asked) {
  if (was.state == JobState::starting) return started < asked;
  return started == was.started || (started < was.started && was.clock_set >= Seconds(0));
}

}  // namespace

Request with_tasks_of(const Request& began, Request request) {
  auto& requirements = request.requirements;
  requirements.resize(began.requirements.size(), requirements.front());
  for (std::size_t i = 0; i < requirements.size(); ++i) {
    requirements[i].tasks = began.requirements[i].tasks;
    requirements[i].per_task = began.requirements[i].per_task;
  }
  return request;
}

RestoredJobs::RestoredJobs(const EngineTools& tools, Holds& holds, Entitlements& entitlements,
                           GivenBackRuns& given_back, FailedStarts& failed_starts,
                           JobDoubts& doubts, RunningJobs& running_jobs)
    : tools_(tools),
      holds_(holds),
      entitlements_(entitlements),
      given_back_(given_back),
      failed_starts_(failed_starts),
      doubts_(doubts),
      running_jobs_(running_jobs),
      cluster_(tools.known.cluster),
      settings_(tools.known.settings),
      pending_restore_(tools.known.pending_restore),
      fairshare_(tools.known.fairshare),
      unanswered_(tools.known.requests) {}

std::optional<CheckpointedJob> RestoredJobs::take(const JobReport& report) {
  auto& jobs = pending_restore_.jobs;
  const std::string manager = tools_.manager_of(report.job);
  const auto same = find_saved(pending_restore_, report, manager);
  if (same == jobs.end()) return std::nullopt;
  auto taken = jobs.extract(same);
  forget_name(pending_restore_, report.name, cluster_);
  return std::move(taken.mapped());
}

void RestoredJobs::restore_in_queue(const CheckpointedJob& saved, JobId id) {
  cluster_.add_bypass(id, saved.bypass);
  if (saved.promised < kForever || saved.fair_wait < kUnlimited) {
    cluster_.run_times.at(id).promised = saved.promised;
    cluster_.run_times.at(id).fair_wait = saved.fair_wait;
    if (saved.promised_last) {
      cluster_.run_times.at(id).promised_last = true;
      cluster_.run_times.promised_last.push_back(id);
    }
  }
  if (has(saved.holds, Hold::defer)) holds_.restore_deferral(id, saved.failures.deferred_until);
  // The job is assumed to have been held all the time.
  const Time seen = last_known(pending_restore_, saved);
  if (saved.holds != 0 && seen < tools_.now() &&
      settings_.throttling.accrual_policy() != QueueTimeAccrual::always) {
    cluster_.delay_queue(std::span(&id, 1), tools_.now() - seen, tools_.now());
    cluster_.set_eligible_since(id, tools_.now());
  }
  restore_place(saved, id);
  if (!saved.qos.empty()) entitlements_.give_qos(id, cluster_.qos.intern(saved.qos));
  if (!saved.account.empty()) {
    cluster_.set_account(id, cluster_.accounts.intern(saved.account));
    entitlements_.renew(id);
  }
  if (saved.run && pending_restore_.charges)
    fairshare_.restore(id, {.started = saved.run->job.started,
                            .run = saved.charged,
                            .cpu_seconds = saved.charged_cpu});
}

/// A job with several shapes waits in the one of its priority reservation.
void RestoredJobs::restore_shape(JobId id, std::int64_t reserved_tasks) {
  const Request& request = cluster_.request_of(id);
  if (request.total_tasks() == reserved_tasks) return;
  for (const auto& shape : cluster_.job(id).alternatives) {
    Request shaped = in_shape(request, shape);
    if (shaped.total_tasks() != reserved_tasks) continue;
    entitlements_.set_request(id, std::move(shaped));
    return entitlements_.renew(id);
  }
}

/// Restores the job's priority reservation, if these are kept (RESERVATIONPOLICY).
void RestoredJobs::restore_place(const CheckpointedJob& saved, JobId id) {
  if (saved.reserved_on.empty() || !keeps_reservations(settings_)) return;
  Reservation kept;
  kept.kind = ReservationKind::job;
  kept.job = id;
  kept.start = saved.reserved;
  auto unknown = saved.reserved_on;
  kept.nodes = take_known(cluster_, unknown);
  if (unknown.empty()) restore_shape(id, task_count(kept.nodes));
  const Request& request = cluster_.request_of(id);
  const bool as_then =  // all of its nodes exist, and its request is unchanged
      unknown.empty() && task_count(kept.nodes) == request.total_tasks() &&
      std::all_of(saved.reserved_on.begin(), saved.reserved_on.end(), [&](const NamedShare& share) {
        return share.requirement < request.requirements.size();
      });
  if (!as_then) return;
  kept.end = kept.start + cluster_.limit_on(request, kept.nodes);
  cluster_.add_reservation(std::move(kept));
}

/// True if what began then is not the saved run.  A start that was requested may have taken effect
/// since then; a run that was known is another.
bool RestoredJobs::is_another_run(const CheckpointedJob& saved, Time started) const {
  const Job& was = saved.run->job;
  if (was.state == JobState::starting || started == kForever || started == was.started)
    return false;
  return tools_.known.clock_steps.as_it_stands(started, tools_.now()) >
         last_known(pending_restore_, saved);
}

/// True if the saved run goes on.
bool RestoredJobs::goes_on(const CheckpointedJob& saved, JobId id, Time started) const {
  const Job& job = cluster_.job(id);
  return saved.run && (job.active() || job.suspended()) && !is_another_run(saved, started);
}

/// The settings may have changed since the run began.
void RestoredJobs::restore_access(const CheckpointedJob& saved, JobId id, Time started) {
  if (saved.access && goes_on(saved, id, started))
    cluster_.set_access(id, *saved.access, tools_.now());
}

void RestoredJobs::restore_requests(const CheckpointedJob& saved, JobId id, Time started) {
  const Job& job = cluster_.job(id);
  if (saved.being_cancelled)
    unanswered_.restore(job.run_key(),
                        {.asked = last_known(pending_restore_, saved),
                         .why = saved.past_limit ? CancelCause::past_limit : CancelCause::asked});
  const bool same_run = goes_on(saved, id, started);
  for (const LastingRequest& request : saved.requests) {
    if (is_about_run(request.kind) && !same_run) continue;
    if (request.lost || request.own || !ends_run(request.kind) ||
        surely_is_that_run(saved.run->job, started, request.asked))
      unanswered_.restore(job.run_key(), request);
    else
      tools_.log_of_job(id, 1, "fSCHED", [&] {
        return fmt::format(
            "job '{}' was to be requeued when the scheduler died, and may have begun anew since "
            "then: it runs on",
            job.name);
      });
  }
}

void RestoredJobs::restore_run(const CheckpointedJob& saved, JobId id, JobReport& report) {
  if (!saved.run) return;
  const Job& was = saved.run->job;
  Job& is = report.job;
  if (is.state == JobState::not_queued) is.state = was.state;
  if (is.state == JobState::idle) return restore_unreported_run(saved, id);
  if (is_another_run(saved, is.started)) {
    if (adopt(saved, id)) end_run(saved, id);
    return;
  }
  cluster_.set_priority(id, was.priority);
  put(is.flags, JobFlag::backfill, saved.backfilled);
  const bool is_suspended = is.state == JobState::suspended;
  // A suspension lasts until a report shows otherwise, or the run has ended.
  const bool told = is.suspensions() > Seconds(0) && !is_suspended;
  // Either an unanswered suspension took effect, or an unanswered resumption had none.
  const auto request = last_suspension_or_resumption(saved.requests);
  const bool ended_so =
      is.ended < kForever && !told && request && request->kind == RequestKind::suspend;
  const Time asked =
      (is_suspended || ended_so) && was.active() && request ? request->asked : kForever;
  const Time until = told ? last_known(pending_restore_, saved) : std::min(is.ended, tools_.now());
  const Seconds since_asked = std::max(until - std::min(asked, until), Seconds(0));
  const Seconds known = suspended_until(was, until) + since_asked - was.clock_set;
  const Seconds suspensions = std::max(is.suspensions(), known);
  restore_start(was, is);
  is.suspended_time = suspensions + is.clock_set;
  if (is.suspended_since == kForever && !ended_so)
    is.suspended_since = std::min(was.suspended_since, asked);
  if (was.state == JobState::suspended) {
    is.suspension_reason = was.suspension_reason;
  } else if (request) {
    is.suspension_reason = request->reason;
  }
  if (report.task_list.empty()) report.task_list = saved.run->task_list;
  if (is.used_run == Seconds(0)) {
    is.use = was.use;
    is.used_run = was.used_run;
  }
}

/// Restores when the run began, and by how much the clock was set since then.  Of a start that was
/// requested, the report tells when it took effect: before or after a step of the clock.
void RestoredJobs::restore_start(const Job& was, Job& is) const {
  const bool began_since = was.state == JobState::starting && is.started < kForever;
  is.clock_set = was.clock_set;
  is.clock_ahead = was.clock_ahead;
  if (!began_since) {
    is.started = was.started;
  } else if (was.clock_set < Seconds(0)) {
    const Early by = dated_ahead(is.started, was, tools_.now());
    is.started = std::max(is.started, was.began());
    is.clock_set = Seconds(0) - by.all();
    is.clock_ahead = by.clock_ahead;
  } else {
    if (is.started >= was.started + was.clock_set) is.clock_set = Seconds(0);
    is.started = std::max(is.started, was.started);
  }
}

/// Lets the known run go on, which is not reported, with the tasks with which it began.  Returns
/// false if it cannot.
bool RestoredJobs::adopt(const CheckpointedJob& saved, JobId id) {
  Request request = with_tasks_of(saved.run->request, cluster_.request_of(id));
  if (request != cluster_.request_of(id)) entitlements_.set_request(id, std::move(request));
  ReportedRun run = run_in(*saved.run);
  run.suspended_time = suspended_until(saved.run->job, tools_.now());
  run.backfilled = saved.backfilled;
  if (!running_jobs_.adopt(id, run)) return false;
  cluster_.set_priority(id, saved.run->job.priority);
  return true;
}

/// Either reports do not show the job's recent start yet, or it has been requeued.  The time limit
/// for that counts from the start or requeue, however often the scheduler restarts.
void RestoredJobs::restore_unreported_run(const CheckpointedJob& saved, JobId id) {
  const Job& was = saved.run->job;
  if (!adopt(saved, id)) return;
  const Time since = was.state == JobState::starting ? was.started + was.clock_set
                                                     : last_known(pending_restore_, saved);
  const bool requeued = saved.requeue_asked < kForever;
  if (requeued || doubts_.is_certain(cluster_.job(id)) ||
      tools_.now() - since >= settings_.jobs.sync_time)
    end_run(saved, id);
  else
    doubts_.note_restored(id, since);
}

/// The resource manager reports the job as waiting again: its known run has ended.
void RestoredJobs::end_run(const CheckpointedJob& saved, JobId id) {
  const Job& job = cluster_.job(id);
  if (job.state == JobState::starting) return failed_starts_.undo(id);
  const Time ended =
      saved.requeue_asked < kForever ? saved.requeue_asked : last_known(pending_restore_, saved);
  given_back_.requeue(id, std::max(ended, job.counted_start()));
}

}  // namespace maui
