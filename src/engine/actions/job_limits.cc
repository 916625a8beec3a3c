// Jobs that run too long, take too long to start, or use more than they asked
// for (appendix F: JOBMAXOVERRUN, WCVIOLATIONACTION, JOBMAXSTARTTIME,
// RESOURCELIMITPOLICY, ENFORCERESOURCELIMITS).
#include <fmt/format.h>

#include <algorithm>

#include "engine/actions/resource_rules.h"
#include "engine/state.h"

namespace maui {

/// A job past its limit keeps its resources until the resource manager says that it has ended; so
/// does its reservation.  Past JOBMAXOVERRUN it is ended, or preempted.  The limit of one that is
/// still starting has not begun to count.
void Engine::State::enforce_wallclock_limits(bool enforces) {
  // Until the next iteration, which events call for at any second.
  const bool by_events = settings.server.mode == ServerMode::simulation &&
                         settings.simulation.step == StepPolicy::event;
  const Seconds further(by_events ? 1 : std::max(settings.poll_interval.raw(), std::int64_t{1}));
  while (!cluster.active().empty() && cluster.active().front().ends <= now()) {
    const JobId id = cluster.active().front().job;
    const Job& job = cluster.job(id);
    const Time limit = job.started + job.suspended_time +
                       cluster.limit_on(cluster.request(job.request), job.placement);
    if (job.ends == limit && job.state != JobState::starting) {
      const auto text = [&] {
        return fmt::format("job '{}' has exceeded its wallclock limit", job.name);
      };
      log(2, "fSCHED", text);
      journal.notify(EventType::job_wc_violation, [&] { return std::vector{text()}; });
    }
    cluster.extend_job(id, now() + further);
    // A job that waits again, or has ended, has no run that could go on.
    if (job.state == JobState::starting || !enforces || unexpected.holds(job)) continue;
    if (now() - limit > settings.job_max_overrun) enforce_wallclock_limit(id, limit);
  }
}

void Engine::State::enforce_wallclock_limit(JobId id, Time limit) {
  const bool ends = settings.jobs.overrun_action == OverrunAction::cancel;
  log(1, "fSCHED", [&] {
    return fmt::format("job '{}' is {} seconds past its wallclock limit: {}", cluster.job(id).name,
                       (now() - limit).raw(), ends ? "cancelled" : "preempted");
  });
  if (ends) return cancel(id);
  preempt(id, settings.jobs.preemption, [this, name = cluster.job(id).name](Status status) {
    if (!status) log_refusal("preempt job", name, status.error().what);
  });
}

void Engine::State::cancel(JobId id) {
  const Job& job = cluster.job(id);
  asked().cancel(job, now(), [this, name = job.name](Status status) {
    if (!status) log_refusal("cancel job", name, status.error().what);
  });
}

/// JOBMAXSTARTTIME: a job that is still starting is taken for the victim of a failure.
void Engine::State::expire_starts() {
  const Seconds most = settings.jobs.max_start_time;
  if (most < Seconds(0) || !rm->reports_job_starts()) return;
  std::vector<JobId> late;
  for (const Active& row : cluster.active()) {
    const Job& job = cluster.job(row.job);
    if (job.state == JobState::starting &&
        now() - clock_steps.counted_from(job.started, now()) > most)
      late.push_back(row.job);
  }
  for (const JobId id : late) {
    log(1, "fSCHED", [&] {
      return fmt::format("job '{}' has been starting for more than {} seconds: cancelled",
                         cluster.job(id).name, most.raw());
    });
    cancel(id);
  }
}

/// Acts on a job once for each report of too much use.
void Engine::State::enforce_resource_limits() {
  if (over_request.empty()) return;
  const auto rules = resource_rules(settings.jobs);
  const bool blocked = std::any_of(plan.reasons.begin(), plan.reasons.end(),
                                   [](Reason why) { return waits_for_resources(why); });
  std::vector<JobId> left;
  for (const JobId id : over_request) {
    const Job& job = cluster.job(id);
    if (!job.active() || job.over_since == kForever) continue;
    const ResourceLimits* const broken = broken_rule(rules, job, cluster.request(job.request));
    if (broken == nullptr) continue;
    const bool due =
        broken->policy == ViolationPolicy::always ||
        (broken->policy == ViolationPolicy::blocked_workload && blocked) ||
        (broken->policy == ViolationPolicy::extended &&
         now() - clock_steps.counted_from(job.over_since, now()) > settings.jobs.sync_time);
    if (due)
      act(id, broken->action);
    else
      left.push_back(id);
  }
  over_request = std::move(left);
}

/// Warns, once a resource manager, that policies on use have no effect where it reports none.
void Engine::State::warn_of_unreported_use(const Job& job, Time ended) {
  constexpr Seconds kLong{300};  // a short run may end before anything is measured
  if (job.recorded || job.used_run > Seconds(0) || ended - job.started < kLong) return;
  const auto parameters = parameters_on_use(settings);
  if (parameters.empty() || !unreported_use.insert(job.resource_manager).second) return;
  log(0, "fRM", [&] {
    return fmt::format(
        "WARNING: resource manager '{}' has not reported what job '{}' used: {} cannot act on its "
        "jobs",
        job.resource_manager, job.name, parameters);
  });
}

void Engine::State::act(JobId id, ViolationAction action) {
  log(1, "fSCHED", [&] {
    constexpr std::string_view kPastForms[] = {"cancelled", "requeued", "suspended"};
    return fmt::format("job '{}' uses more than it asked for: {}", cluster.job(id).name,
                       kPastForms[static_cast<std::size_t>(action)]);
  });
  if (action == ViolationAction::cancel) return cancel(id);
  const auto how = action == ViolationAction::requeue ? Preemption::requeue : Preemption::suspend;
  preempt(id, how, [this, name = cluster.job(id).name](Status status) {
    if (!status) log_refusal("preempt job", name, status.error().what);
  });
}

}  // namespace maui
