#include "engine/reports/running_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "engine/actions/forget_in_plan.h"
#include "engine/knowledge.h"
#include "engine/reports/job_doubts.h"
#include "engine/reports/reported_nodes.h"
#include "engine/tools.h"
#include "model/placement.h"
#include "model/told_suspension.h"

namespace maui {
namespace {

/// Returns the placement of a job, given the names of its tasks' nodes: first those of the first
/// requirement, then those of the next.
Placement placement_of(const Cluster& cluster, const Request& request,
                       const std::vector<std::string>& task_list) {
  std::vector<NodeTasks> shares;
  std::unordered_map<NodeId, std::size_t> known;  // index in `shares`
  std::uint32_t requirement = 0;
  int more = request.requirements.front().tasks;  // of its tasks
  for (const std::string& name : task_list) {
    const NodeId node = cluster.find_node(name);
    if (more-- == 0 && requirement + 1 < request.requirements.size()) {
      more = request.requirements[++requirement].tasks - 1;
      known.clear();
    }
    const auto [at, added] = known.emplace(node, shares.size());
    if (added)
      shares.push_back({node, 1, requirement});
    else
      ++shares[at->second].tasks;
  }
  return {shares.begin(), shares.end()};
}

/// Leaves the part of the run that is not accounted.  A run is accounted once reports omit the job
/// or have it waiting; if it turns out to go on, it begins anew where that account ended.
void leave_unaccounted(ReportedRun& run, Time accounted_until) {
  if (run.started + run.clock_set >= accounted_until) return;
  run.started = accounted_until;
  run.suspended_since = std::max(run.suspended_since, accounted_until);
  run.suspended_time = run.clock_set = run.clock_ahead = Seconds(0);
  run.used_run = Seconds(0);
}

/// Returns the run with the time of its earlier suspensions only: what is reported includes the one
/// that still lasts.
ReportedRun without_present_suspension(ReportedRun run, Time now) {
  if (run.state != JobState::suspended) return run;
  run.suspended_since = std::min(run.suspended_since, now);
  run.suspended_time = run.suspended_time - (now - run.suspended_since);
  return run;
}

}  // namespace

ReportedRun run_in(const JobReport& report) {
  const Job& job = report.job;
  return {job.state,
          report.task_list,
          job.started,
          job.suspended_time,
          job.clock_set,
          job.clock_ahead,
          job.suspended_since,
          job.suspension_reason,
          job.use,
          job.used_run,
          has(job.flags, JobFlag::backfill)};
}

Early dated_ahead(Time started, const Job& requested, Time now) {
  if (started <= now) return {};
  const Seconds set_back = std::min(Seconds(0) - requested.clock_set, started - requested.began());
  return {set_back, std::max(started - now - set_back, Seconds(0))};
}

RunningJobs::RunningJobs(const EngineTools& tools, ReportedNodes& nodes, JobDoubts& doubts)
    : tools_(tools),
      nodes_(nodes),
      doubts_(doubts),
      cluster_(tools.known.cluster),
      settings_(tools.known.settings),
      clock_steps_(tools.known.clock_steps),
      managers_(tools.known.managers),
      plan_(tools.known.plan),
      statistics_(tools.known.statistics),
      fairshare_(tools.known.fairshare),
      learning_(tools.known.learning),
      dependencies_(tools.known.dependencies) {}

bool RunningJobs::adopt(JobId id, const ReportedRun& reported) {
  if (reported.task_list.empty() || !cluster_.job(id).waiting()) return false;
  ReportedRun run = without_present_suspension(reported, tools_.now());
  if (run.clock_set >= Seconds(0)) {  // else that includes it
    const Early by = early(id, run.started);
    run.clock_set = run.clock_set - by.all();
    run.clock_ahead = run.clock_ahead + by.clock_ahead;
    run.suspended_time = run.suspended_time - by.all();
  }
  if (run.clock_set == Seconds(0) && run.suspended_time == Seconds(0)) {
    run.clock_set = set_forward_since(id, run.started);
    run.suspended_time = run.suspended_time + run.clock_set;
  }
  leave_unaccounted(run, std::min(cluster_.job(id).accounted_until, tools_.now()));
  for (const std::string& node : run.task_list) nodes_.know_of(node);
  forget_in_plan(plan_, id);
  const Seconds set_back = std::max(Seconds(0), Seconds(0) - run.clock_set);
  run.started = std::min(run.started, tools_.now() + set_back);
  bound_suspension(id, run);
  cluster_.start_job(id, placement_of(cluster_, cluster_.request_of(id), run.task_list),
                     run.started, run.backfilled);
  learning_.started(cluster_, settings_, id);
  if (const Seconds step = run.clock_set + run.clock_ahead; step != Seconds(0))
    cluster_.set_clock_set(id, step);
  if (run.clock_ahead != Seconds(0)) cluster_.set_clock_ahead(id, run.clock_ahead);
  if (run.suspended_time != run.clock_set) cluster_.set_suspended_time(id, run.suspended_time);
  note_use(id, run.use, run.used_run);
  if (run.state == JobState::starting) cluster_.set_starting(id);
  if (run.state == JobState::suspended) cluster_.suspend_job(id, run.suspended_since, run.reason);
  statistics_.note_run_before(cluster_.job(id));
  dependencies_.started(cluster_, id);
  doubts_.trust(id);
  tools_.log_of_job(id, 2, "fRM", [&] {
    const Job& job = cluster_.job(id);
    const auto* state = job.suspended()                   ? "suspended"
                        : job.state == JobState::starting ? "starting"
                                                          : "already running";
    return fmt::format("job '{}' is {}, on {}", job.name, state,
                       counted(job.placement.size(), "node"));
  });
  return true;
}

/// A run has not been suspended for longer than it has lasted, whatever reports or the checkpoint
/// say.
void RunningJobs::bound_suspension(JobId id, ReportedRun& run) const {
  const Time until = run.state == JobState::suspended ? run.suspended_since : tools_.now();
  const auto in_run =
      told_suspension(run.suspended_time - run.clock_set, run.started + run.clock_set, until);
  run.suspended_time = in_run.value_or(Seconds(0)) + run.clock_set;
  if (!in_run)
    tools_.log_report(cluster_.job(id).resource_manager, 1, "fRM",
                      [&] { return told_too_long(cluster_.job(id).name); });
}

void RunningJobs::sync(JobId id, const ReportedRun& run) {
  if (!adopt(id, run) && cluster_.job(id).waiting())
    doubts_.doubt(id, "its nodes are not reported");
}

/// A server may distribute the tasks over nodes other than requested.
void RunningJobs::note_where(JobId id, const std::vector<std::string>& task_list) {
  const Request& request = cluster_.request_of(id);
  if (std::ssize(task_list) != std::int64_t{request.total_tasks()}) return;
  // If all requirements are equal, it does not matter which of them a node serves.
  const auto& all = request.requirements;
  if (all.size() > 1 && std::all_of(all.begin(), all.end(), [&](const Requirement& requirement) {
        return requirement.per_task == all.front().per_task;
      }))
    return;
  for (const std::string& node : task_list) nodes_.know_of(node);
  Placement reported = placement_of(cluster_, request, task_list),
            known = cluster_.job(id).placement;
  sort_by_node(reported);
  sort_by_node(known);
  if (reported == known) return;
  tools_.log_of_job(id, 2, "fRM", [&] {
    return fmt::format("job '{}' runs on other nodes than planned", cluster_.job(id).name);
  });
  cluster_.move_job(id, std::move(reported), tools_.now());
}

void RunningJobs::note_use(JobId id, JobUse use, Seconds run) {
  if (run <= Seconds(0)) return;
  if (use.procs <= 0 && use.cpu_seconds)
    use.procs = *use.cpu_seconds / static_cast<double>(run.raw());
  const Job& job = cluster_.job(id);
  cluster_.set_use(id, use, false, job.counted_start() + run);
}

void RunningJobs::note_running(JobId id, Time since) {
  const Seconds step = cluster_.job(id).clock_set;
  const Early by = early(id, since);
  since = std::min(since, tools_.now() + by.all());
  // A step of the clock before the run began is no part of it.
  if (step < Seconds(0) || since >= cluster_.job(id).started + step)
    cluster_.set_clock_set(id, Seconds(0));
  if (step < Seconds(0)) cluster_.shift_run(id, step);
  const Time started = cluster_.job(id).started;
  if (since > started) fairshare_.settle(cluster_, settings_.fairshare, id, started);
  cluster_.set_running(id, since);
  if (by.all() > Seconds(0)) cluster_.set_clock_set(id, Seconds(0) - by.set_back);
  if (by.clock_ahead > Seconds(0)) cluster_.set_clock_ahead(id, by.clock_ahead);
}

Seconds RunningJobs::set_forward_since(JobId id, Time started) const {
  const bool answered = managers_.answered(cluster_.job(id).resource_manager).has_value();
  if (!answered || started > tools_.now()) return Seconds(0);
  return std::max(clock_steps_.as_it_stands(started, tools_.now()) - started, Seconds(0));
}

/// Returns how much later than by the clock as it now stands the start of a run is dated: the clock
/// was set back since then, or that of its resource manager is ahead, or both.  The start stays as
/// it is reported, since it tells runs apart.
Early RunningJobs::early(JobId id, Time started) const {
  if (started >= kForever || started <= tools_.now()) return {};
  const Job& job = cluster_.job(id);
  if (job.state == JobState::starting && job.clock_set < Seconds(0))
    return dated_ahead(started, job, tools_.now());
  if (const auto answered = managers_.answered(job.resource_manager))
    if (const auto began = clock_steps_.when_dated(started, *answered, tools_.now());
        began && *began < started)
      return {started - *began, Seconds(0)};
  const Time heard = managers_.heard(job.resource_manager).value_or(Time(0));
  const Seconds set_back = clock_steps_.set_back_since(started, heard, tools_.now());
  return {set_back, std::max(started - tools_.now() - set_back, Seconds(0))};
}

}  // namespace maui
