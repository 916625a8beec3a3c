#include "engine/actions/job_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/duration.h"
#include "base/text.h"
#include "engine/actions/holds.h"
#include "engine/actions/kept_requests.h"
#include "engine/actions/lasting_requests.h"
#include "engine/actions/preemptions.h"
#include "engine/actions/resource_rules.h"
#include "engine/knowledge.h"
#include "engine/tools.h"
#include "sched/rules/next_iteration.h"

namespace maui {
namespace {

/// Returns the processors kept busy, by CPU time, since CPU time last grew, or since the start for
/// the first value reported.  A server may measure less often than it reports.  `doubt`: by how
/// much times, which are rounded, may be wrong in favour of the job.
double busy_since(const Job& job, const JobUse& use, Time until, Seconds doubt) {
  if (use.cpu_seconds == job.use->cpu_seconds) return 0;
  const double before = job.use->cpu_seconds.value_or(0), now = use.cpu_seconds.value_or(0);
  const bool first = before <= 0 || now < before;
  const Seconds run = until - job.started - job.suspended_time;
  const Seconds since = (first ? run : run - job.past_use->cpu_run) + doubt;
  if (since <= doubt) return job.use->procs;
  const double grown = now - (first ? 0 : before) - static_cast<double>(doubt.raw());
  return std::max(grown, 0.0) / static_cast<double>(since.raw());
}

}  // namespace

JobLimits::JobLimits(const EngineTools& tools, Holds& holds, KeptRequests& requests,
                     Preemptions& preemptions, LastingRequests& lasting)
    : tools_(tools),
      holds_(holds),
      requests_(requests),
      preemptions_(preemptions),
      lasting_(lasting),
      cluster_(tools.known.cluster),
      settings_(tools.known.settings),
      plan_(tools.known.plan),
      unexpected_(tools.known.unexpected),
      lost_(tools.known.lost),
      clock_steps_(tools.known.clock_steps),
      over_request_(tools.known.over_request) {}

void JobLimits::note_use(JobId id, JobUse use, Time until) {
  JobUse surely = use;
  if (use.procs <= 0 && use.cpu_seconds) {
    const Job& job = cluster_.job(id);
    surely.procs = busy_since(job, use, until, Seconds(1));
    use.procs = busy_since(job, use, until, Seconds(0));
  }
  const bool over =
      broken_rule(resource_rules(settings_.jobs), surely, cluster_.request_of(id)) != nullptr;
  cluster_.set_use(id, use, over, until);
  if (over && std::find(over_request_.begin(), over_request_.end(), id) == over_request_.end())
    over_request_.push_back(id);
}

void JobLimits::enforce(bool enforces) {
  requests_.gather();
  enforce_wallclock_limits(enforces);
  if (enforces) {
    expire_starts();
    enforce_resource_limits();
  }
  requests_.ask_gathered();
}

/// A job past its limit keeps its resources and its reservation until the resource manager reports
/// its end.  Past JOBMAXOVERRUN the scheduler cancels or preempts the job.  The limit of a starting
/// job has not begun to count.
void JobLimits::enforce_wallclock_limits(bool enforces) {
  const Seconds further = until_next_iteration(settings_);
  while (!cluster_.active().empty() && cluster_.active().front().ends <= tools_.now()) {
    const JobId id = cluster_.active().front().job;
    const Job& job = cluster_.job(id);
    const Time limit = cluster_.limit_end(job);
    if (job.ends == limit && job.state != JobState::starting) {
      const auto text = [&] {
        return fmt::format("job '{}' has exceeded its wallclock limit", job.name);
      };
      tools_.log_of_job(id, 2, "fSCHED", text);
      tools_.journal.notify_of(tools_.journal.user_of(id), EventType::job_wc_violation,
                               [&] { return std::vector{text()}; });
    }
    cluster_.extend_job(id, tools_.now() + further);
    // It is not certain that a job runs which is reported otherwise, or not at all.
    const bool doubted = unexpected_.holds(job) || lost_.holds(job);
    if (job.state == JobState::starting || !enforces || doubted) continue;
    if (lasting_.asked_again_to_end(job.run_key())) continue;
    if (tools_.now() - limit > settings_.job_max_overrun) enforce_wallclock_limit(id, limit);
  }
}

void JobLimits::enforce_wallclock_limit(JobId id, Time limit) {
  const bool ends = settings_.jobs.overrun_action == OverrunAction::cancel;
  tools_.log_of_job(id, 1, "fSCHED", [&] {
    return fmt::format("job '{}' is {} past its wallclock limit: {}", cluster_.job(id).name,
                       counted((tools_.now() - limit).raw(), "second"),
                       ends ? "cancelled" : "preempted");
  });
  if (ends)
    return lasting_.cancel(
        id, CancelCause::past_limit,
        fmt::format("it was {} past its wallclock limit", format_duration(tools_.now() - limit)));
  preempt(id, settings_.jobs.preemption,
          {"WCLimit: it was requeued after it had passed its wallclock limit"});
}

/// If the job loses its work, its run has failed: its next run has the same limits, so it would
/// repeat that run for ever, and before others.
void JobLimits::preempt(JobId id, Preemption how, const HoldReason& reason) {
  const Job& job = cluster_.job(id);
  preemptions_.preempt(id, how, {.or_requeue = true, .reason = {SuspensionCause::violation}},
                       [this, run = job.run_key(), kept = job.kept_run, label = tools_.label(job),
                        reason](Status status) {
                         if (!status)
                           return tools_.log_refusal("preempt job", label, status.error());
                         if (!cluster_.is_latest(run) || !cluster_.job(run.job).waiting()) return;
                         if (cluster_.job(run.job).kept_run > kept) return;  // by its checkpoint
                         holds_.note_failure(run.job, reason);
                       });
}

/// JOBMAXSTARTTIME: a job that takes too long to start is treated as failed.
void JobLimits::expire_starts() {
  const Seconds most = settings_.jobs.max_start_time;
  if (most < Seconds(0) || !tools_.rm.reports_job_starts()) return;
  std::vector<JobId> late;
  for (const Active& row : cluster_.active()) {
    const Job& job = cluster_.job(row.job);
    if (job.state == JobState::starting &&
        tools_.now() - clock_steps_.counted_from(job.began(), tools_.now()) > most)
      late.push_back(row.job);
  }
  for (const JobId id : late) {
    tools_.log_of_job(id, 1, "fSCHED", [&] {
      return fmt::format("job '{}' has been starting for more than {}: cancelled",
                         cluster_.job(id).name, counted(most.raw(), "second"));
    });
    lasting_.cancel(id, CancelCause::asked,
                    fmt::format("it had been starting for more than {} (JOBMAXSTARTTIME)",
                                format_duration(most)));
  }
}

/// Acts once on a job for each report of excessive use.
void JobLimits::enforce_resource_limits() {
  if (over_request_.empty()) return;
  const auto rules = resource_rules(settings_.jobs);
  const bool blocked = std::any_of(plan_.reasons.begin(), plan_.reasons.end(),
                                   [](Reason why) { return waits_for_resources(why); });
  std::vector<JobId> left;
  for (const JobId id : over_request_) {
    const Job& job = cluster_.job(id);
    if (!job.active() || job.past_use->over_since == kForever) continue;
    if (lasting_.asked_again_to_end(job.run_key())) continue;
    const ResourceLimits* const broken =
        broken_rule(rules, *job.use, cluster_.request(job.request));
    if (broken == nullptr) continue;
    const bool due =
        broken->policy == ViolationPolicy::always ||
        (broken->policy == ViolationPolicy::blocked_workload && blocked) ||
        (broken->policy == ViolationPolicy::extended &&
         tools_.now() - clock_steps_.counted_from(job.past_use->over_since, tools_.now()) >
             settings_.jobs.sync_time);
    if (due)
      act(id, *broken);
    else
      left.push_back(id);
  }
  over_request_ = std::move(left);
}

void JobLimits::act(JobId id, const ResourceLimits& broken) {
  const ViolationAction action = broken.action;
  tools_.log_of_job(id, 1, "fSCHED", [&] {
    constexpr std::string_view kPastForms[] = {"cancelled", "requeued", "suspended"};
    return fmt::format("job '{}' uses more than it asked for: {}", cluster_.job(id).name,
                       kPastForms[static_cast<std::size_t>(action)]);
  });
  if (action == ViolationAction::cancel)
    return lasting_.cancel(id, CancelCause::asked,
                           excess_words(broken, *cluster_.job(id).use, cluster_.request_of(id)));
  preempt(id, action == ViolationAction::requeue ? Preemption::requeue : Preemption::suspend,
          {"ResourceLimit: it was requeued because it used more than it asked for"});
}

}  // namespace maui
