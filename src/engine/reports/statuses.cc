// Jobs as the resource manager reports them while they are known already
// (JOBSYNCTIME, JOBPURGETIME).
//
// A state that was not expected is believed once it has been reported for
// JOBSYNCTIME: what was asked for may take that long to show.  Resource managers that are known to
// show it at once are believed at once.
#include <fmt/format.h>

#include <algorithm>

#include "engine/actions/resource_rules.h"
#include "engine/reports/report.h"
#include "engine/state.h"
#include "model/placement.h"
#include "sched/suspended.h"

namespace maui {
namespace {

/// Its job is gone, or in the state that was reported.
bool settled(const Cluster& cluster, const DoubtedJob& doubted) {
  return !cluster.still(doubted.job, doubted.arrival) ||
         cluster.job(doubted.job).state == doubted.reported;
}

}  // namespace

void Engine::State::apply(const JobStatus& status) {
  const JobId id = cluster.find_job(status.name);
  if (!id.valid()) return;
  lost.erase_if([id](const DoubtedJob& doubted) { return doubted.job == id; });
  const Job& job = cluster.job(id);
  if (status.use && job.active())
    job_limits.note_use(id, *status.use, std::min(status.used_until, now()));
  // A server that refuses a start need not say in its reports what is in the way.
  const bool silent = status.waits_for && status.waits_for->empty();
  if (status.waits_for && !(silent && refused_starts.keeps(cluster, id, now())))
    cluster.set_waits_for(id, *status.waits_for);
  if (status.holds) {
    const auto others = static_cast<std::uint8_t>(job.holds & ~job.holds_reported);
    cluster.set_holds(id, static_cast<std::uint8_t>(others | *status.holds), job.hold_reason);
    cluster.set_holds_reported(id, *status.holds);
  }
  if (!status.state) return;
  if (job.waiting() && *status.state != JobState::idle)
    return sync_running(id, {*status.state, status.task_list, status.started});
  unexpected.erase_if([&](const DoubtedJob& doubted) {
    return doubted.job == id && doubted.reported != *status.state;
  });
  if (job.active() && (*status.state == JobState::running || *status.state == JobState::starting))
    note_where(id, status.task_list);
  const bool starts = *status.state == JobState::starting && job.active();
  if (job.state == JobState::starting && *status.state == JobState::running)
    note_running(id, status.started == kForever ? job.started : std::min(status.started, now()));
  else if (*status.state != job.state && !starts)
    return note_unexpected(id, *status.state);
  trust_state(id);
}

/// Servers may spread the tasks over the nodes otherwise than they were told to.
void Engine::State::note_where(JobId id, const std::vector<std::string>& task_list) {
  const Request& request = cluster.request_of(id);
  if (std::ssize(task_list) != std::int64_t{request.total_tasks()}) return;
  // Which of several that are alike a node serves makes no difference.
  const auto& all = request.requirements;
  if (all.size() > 1 && std::all_of(all.begin(), all.end(), [&](const Requirement& requirement) {
        return requirement.per_task == all.front().per_task;
      }))
    return;
  for (const std::string& node : task_list) reported_nodes.know_of(node);
  Placement reported = placement_of(cluster, request, task_list), known = cluster.job(id).placement;
  sort_by_node(reported);
  sort_by_node(known);
  if (reported == known) return;
  log(2, "fRM", [&] {
    return fmt::format("job '{}' has its tasks on other nodes than planned", cluster.job(id).name);
  });
  cluster.move_job(id, std::move(reported), now());
}

void Engine::State::note_running(JobId id, Time since) {
  const Time started = cluster.job(id).started;
  if (since > started) fairshare.settle(cluster, settings.fairshare, id, started);
  cluster.set_running(id, since);
}

void Engine::State::apply(const FailedStart& failed) {
  const JobId id = cluster.find_job(failed.name);
  if (!id.valid() || !cluster.job(id).active()) return;
  if (cluster.job(id).state == JobState::starting)
    return failed_starts.refused(id, failed.why, failed.obstacle, false);
  // Its nodes were given to it, and it could not begin on them.
  rm_record.start_failed(now(), failed.why);
  auto nodes = nodes_of(cluster.job(id).placement);
  believe(id, JobState::idle);
  failed_starts.count(id, failed.why, failed.obstacle, std::move(nodes), false);
}

/// Nodes of a resource manager that does not answer stay as they were, and take no new jobs.
void Engine::State::note_unreachable(const std::vector<UnreachableManager>& now_silent) {
  std::vector<std::string> names;
  for (const UnreachableManager& manager : now_silent) {
    names.push_back(manager.manager);
    if (managers.silent(manager.manager)) continue;
    const auto text = [&] {
      return fmt::format("resource manager '{}' does not answer: {}", manager.manager, manager.why);
    };
    log(0, "fRM", [&] { return "ERROR: " + text(); });
    journal.notify(EventType::rm_failure, [&] { return std::vector<std::string>{text()}; });
  }
  managers.set_silent(std::move(names));
}

void Engine::State::note_heard() {
  const auto records = rm->records();
  for (const RmRecord& record : records) managers.note_heard(record.name, now());
  if (records.empty()) managers.note_heard(std::string(rm->name()), now());
  job_ends.forget_accounted();
}

bool Engine::State::is_certain(const Job& job) const {
  return !launches.any_unasked() && managers.certain(job.resource_manager);
}

void Engine::State::note_unexpected(JobId id, JobState reported) {
  const Job& job = cluster.job(id);
  if (unexpected.holds(job)) return;
  // A start that was asked for is settled by the first answer that could know of it.
  const bool asked = job.state == JobState::starting && reported == JobState::idle;
  const Time since = asked ? clock_steps.counted_from(std::min(job.started, now()), now()) : now();
  unexpected.add({id, job.arrival, reported, since, since});
  const auto text = [&] {
    return fmt::format("job '{}' is reported in a state that was not expected", job.name);
  };
  // The reports do not show yet what was asked for a moment ago.
  if (asked) return;
  log(1, "fRM", text);
  journal.notify(EventType::job_corruption, [&] { return std::vector<std::string>{text()}; });
}

void Engine::State::resolve_unexpected() {
  const auto due = unexpected.take([this](const DoubtedJob& doubted) {
    return settled(cluster, doubted) || is_certain(cluster.job(doubted.job)) ||
           now() - doubted.since >= settings.jobs.sync_time;
  });
  for (const DoubtedJob& doubted : due)
    if (!settled(cluster, doubted)) believe(doubted.job, doubted.reported);
  take_put_off();
}

void Engine::State::take_put_off() {
  std::erase_if(put_off, [this](const JobReport& report) {
    const JobId id = cluster.find_job(report.name);
    if (!id.valid()) return true;
    if (!cluster.job(id).waiting()) return !unexpected.holds(cluster.job(id));
    change(report);
    return true;
  });
}

void Engine::State::believe(JobId id, JobState reported) {
  const Job& job = cluster.job(id);
  const bool has_run = job.active() || job.suspended();
  if (reported == JobState::idle && job.state == JobState::starting) {
    failed_starts.undo(id);
  } else if (reported == JobState::idle && has_run) {
    const Time until = job.suspended() ? job.suspended_since : now();
    allocations.settle(job, job.run_so_far(now()), now(), false);
    statistics.account_lost_run(cluster, id, until);
    cluster.requeue_job(id, now());
    learning.returned(cluster, id);
  } else if (reported == JobState::suspended && job.active()) {
    cluster.suspend_job(id, now());
    const bool by_us = preemptions.take_perhaps_suspended(job);
    if (!by_us) cluster.keep_suspended(id);
  } else if (reported == JobState::running && job.suspended() && can_resume(cluster, job)) {
    cluster.resume_job(id, now());
  } else {
    return holds.place(id, Hold::batch, state_problem("the state that is reported cannot be"));
  }
  log(1, "fRM", [&] {
    return fmt::format("job '{}' is now taken for what the resource manager reports", job.name);
  });
}

void Engine::State::resolve_lost_jobs() {
  const auto due = lost.take([this](const DoubtedJob& missing) {
    return !cluster.still(missing.job, missing.arrival) || is_certain(cluster.job(missing.job)) ||
           now() - missing.since >= settings.jobs.purge_time;
  });
  for (const DoubtedJob& missing : due) {
    if (!cluster.still(missing.job, missing.arrival)) continue;
    log(1, "fRM", [&] {
      return fmt::format("job '{}' is reported no longer: removed", cluster.job(missing.job).name);
    });
    forget_in_plan(plan, missing.job);
    if (cluster.job(missing.job).state == JobState::starting) failed_starts.undo(missing.job);
    const Job& job = cluster.job(missing.job);
    job_ends.end(
        missing.job, JobState::removed,
        job.suspended() ? std::max(missing.last_known, job.suspended_since) : missing.last_known);
  }
}

}  // namespace maui
