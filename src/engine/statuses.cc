// Jobs as the resource manager reports them while they are known already
// (JOBSYNCTIME, JOBPURGETIME).
//
// A state that was not expected is believed once it has been reported for
// JOBSYNCTIME: what was asked for may take that long to show.
#include <fmt/format.h>

#include <algorithm>

#include "engine/report.h"
#include "engine/resource_rules.h"
#include "engine/state.h"
#include "sched/preemption.h"

namespace maui {

void Engine::State::apply(const JobStatus& status) {
  const JobId id = cluster.find_job(status.name);
  if (!id.valid()) return;
  std::erase_if(lost, [id](const Unexpected& one) { return one.job == id; });
  const Job& job = cluster.job(id);
  if (status.use && job.active()) note_use(id, *status.use);
  if (status.held) {
    auto holds = job.holds;
    put(holds, Hold::user, *status.held);
    cluster.set_holds(id, holds, job.hold_reason);
    cluster.set_holds_told(id, static_cast<std::uint8_t>(*status.held ? Hold::user : Hold{}));
  }
  if (!status.state) return;
  if (job.waiting() && *status.state != JobState::idle)
    return mind_running(id, {*status.state, status.task_list, status.started});
  std::erase_if(unexpected, [&](const Unexpected& one) {
    return one.job == id && one.reported != *status.state;
  });
  const bool starts = *status.state == JobState::starting && job.active();
  if (job.state == JobState::starting && *status.state == JobState::running)
    note_running(id, status.started == kForever ? job.started : std::min(status.started, now()));
  else if (*status.state != job.state && !starts)
    return note_unexpected(id, *status.state);
  trust_state(id);
}

void Engine::State::note_running(JobId id, Time since) {
  const Time started = cluster.job(id).started;
  if (since > started) fairshare.settle(cluster, settings.fairshare, id, started);
  cluster.set_running(id, since);
}

/// Nodes of a resource manager that does not answer stay as they were, and take no new jobs.
void Engine::State::note_silence(const std::vector<Silence>& now_silent) {
  for (const Silence& one : now_silent) {
    if (std::find(silent.begin(), silent.end(), one.manager) != silent.end()) continue;
    const auto text = [&] {
      return fmt::format("resource manager '{}' does not answer: {}", one.manager, one.why);
    };
    log(0, "fRM", [&] { return "ERROR: " + text(); });
    tell(EventType::rm_failure, [&] { return std::vector<std::string>{text()}; });
  }
  silent.clear();
  for (const Silence& one : now_silent) silent.push_back(one.manager);
}

void Engine::State::note_heard() {
  const auto note = [this](const std::string& manager) {
    if (std::find(silent.begin(), silent.end(), manager) == silent.end()) heard[manager] = now();
  };
  const auto records = rm->records();
  for (const RmRecord& one : records) note(one.name);
  if (records.empty()) note(std::string(rm->name()));
  forget_ended();
}

void Engine::State::note_use(JobId id, const JobUse& use) {
  Job judged = cluster.job(id);
  judged.use = use;
  const bool over =
      broken_rule(resource_rules(settings.jobs), judged, cluster.request_of(id)) != nullptr;
  cluster.set_use(id, use, over, now());
  if (over && std::find(over_request.begin(), over_request.end(), id) == over_request.end())
    over_request.push_back(id);
}

void Engine::State::note_unexpected(JobId id, JobState reported) {
  const Job& job = cluster.job(id);
  if (std::any_of(unexpected.begin(), unexpected.end(), [&](const Unexpected& one) {
        return one.job == id && one.arrival == job.arrival;
      }))
    return;
  unexpected.push_back({id, job.arrival, reported, now(), now()});
  const auto text = [&] {
    return fmt::format("job '{}' is reported in a state that was not expected", job.name);
  };
  // What was asked for a moment ago has not reached the reports yet.
  if (job.state == JobState::starting && reported == JobState::idle) return;
  log(1, "fRM", text);
  tell(EventType::job_corruption, [&] { return std::vector<std::string>{text()}; });
}

void Engine::State::mind_unexpected() {
  std::vector<Unexpected> left;
  for (const Unexpected& one : std::exchange(unexpected, {})) {
    if (!still(one.job, one.arrival) || cluster.job(one.job).state == one.reported) continue;
    if (now() - one.since < settings.jobs.sync_time)
      left.push_back(one);
    else
      believe(one.job, one.reported);
  }
  unexpected.insert(unexpected.end(), left.begin(), left.end());
}

void Engine::State::believe(JobId id, JobState reported) {
  const Job& job = cluster.job(id);
  const bool has_run = job.active() || job.suspended();
  if (reported == JobState::idle && has_run) {
    const Time until = job.suspended() ? job.suspended_since : now();
    settle_allocation(job, until - job.started - job.suspended_time, now(), false);
    cluster.requeue_job(id, now());
  } else if (reported == JobState::suspended && job.active()) {
    cluster.suspend_job(id, now());
  } else if (reported == JobState::running && job.suspended() && can_resume(cluster, job)) {
    cluster.resume_job(id, now());
  } else {
    return place_hold(id, Hold::batch, state_problem("the state that is reported cannot be"));
  }
  log(1, "fRM", [&] {
    return fmt::format("job '{}' is now taken for what the resource manager reports", job.name);
  });
}

void Engine::State::mind_lost() {
  std::vector<Unexpected> left;
  for (const Unexpected& one : std::exchange(lost, {})) {
    if (!still(one.job, one.arrival)) continue;
    if (now() - one.since < settings.jobs.purge_time) {
      left.push_back(one);
      continue;
    }
    log(1, "fRM", [&] {
      return fmt::format("job '{}' is reported no longer: removed", cluster.job(one.job).name);
    });
    forget_in_plan(one.job);
    const Job& job = cluster.job(one.job);
    end(one.job, JobState::removed,
        job.suspended() ? std::max(one.last_known, job.suspended_since) : one.last_known);
  }
  lost.insert(lost.end(), left.begin(), left.end());
}

}  // namespace maui
