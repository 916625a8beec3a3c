#include "sched/suspended.h"

#include <algorithm>
#include <list>
#include <utility>

#include "model/placement.h"
#include "model/sharing.h"
#include "sched/cycle_state.h"
#include "sched/priority/priority.h"
#include "sched/victim_kind.h"

namespace maui {
namespace {

bool nodes_available(const Cluster& cluster, const Job& job) {
  return std::all_of(job.placement.begin(), job.placement.end(),
                     [&](const NodeTasks& share) { return cluster.node(share.node).available(); });
}

Time rested(const Job& job) { return job.suspended_since + kLeastSuspension; }

/// Returns the first time, not before `from`, from which the pinned job can have its nodes until it
/// ends; kForever if unknown.
Time first_room(const Cluster& cluster, ClusterModel& model, const Job& job, const Pin& pin,
                Time from) {
  if (!nodes_available(cluster, job)) return kForever;
  auto times = model.changes_on(job, pin.rest, job.placement, from);
  times.insert(times.begin(), from);
  const auto at = std::find_if(times.begin(), times.end(), [&](Time start) {
    return model.has_room(job, pin.rest, job.placement, start);
  });
  return at == times.end() ? kForever : *at;
}

/// Finds the first time at which the job can have its nodes.
void find_start(const Cluster& cluster, Timeline& timeline, Pin& pin) {
  const auto& job = cluster.job(pin.job);
  const Time from = std::max(timeline.now(), pin.rested);
  pin.start = first_room(cluster, timeline.model(), job, pin, from);
}

void find_start(CycleState& state, Pin& pin) { find_start(state.cluster(), state.timeline(), pin); }

/// Keeps the job's nodes for it from its start on.
void pin_down(CycleState& state, const Pin& pin) {
  const auto& job = state.cluster().job(pin.job);
  if (pin.start < kForever) state.timeline().pin(job, pin.rest, job.placement, pin.start);
}

/// Starts jobs that could only take the suspended job's nodes back: preemptors of higher priority,
/// up to the first other job that waits, since none of them overtakes it.
void start_those_before(CycleState& state, const Pin& pin, std::size_t& next) {
  const bool kept = keeps_reservations(state.settings());  // reserved jobs have their turn later
  for (; next < state.jobs(); ++next) {
    if (!state.open(next) || state.limits_hold_back(next, Strictness::soft)) continue;
    const bool above = state.plan().order[next].priority > pin.priority &&
                       preemptible_by(state.flags(), state.job(next)) != 0;
    if (!above) return;
    if (!(kept && state.job(next).reservation.valid())) state.start(next, Seconds(0), false);
  }
}

Request rest_of(const Cluster& cluster, const Job& job, Seconds left) {
  Request rest = cluster.request(job.request);
  rest.limit = left;
  rest.by_speed = false;  // the limit is already in seconds on these nodes
  rest.span = true;       // it goes on where it is, in whatever partitions
  rest.qos_features.clear();
  for (Requirement& wanted : rest.requirements) {  // and whatever these nodes are like by now
    wanted.features.clear();
    wanted.network.clear();
    wanted.architecture.clear();
    wanted.operating_system.clear();
    wanted.memory = wanted.disk = wanted.swap = wanted.procs = {};
  }
  return rest;
}

/// Returns the jobs suspended for that cause that may resume by themselves, highest priority first.
std::list<Pin> pins_of(const Cluster& cluster, const Settings& settings, Time now,
                       SuspensionCause cause) {
  std::vector<JobId> jobs;
  for (const JobId id : cluster.suspended()) {
    const Job& job = cluster.job(id);
    if (job.may_resume() && job.suspension_reason->cause == cause) jobs.push_back(id);
  }
  const auto priorities = priorities_of(cluster, settings, now, jobs);
  std::list<Pin> pins;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Job& job = cluster.job(jobs[i]);
    pins.push_back({jobs[i], priorities[i], rest_of(cluster, job), rested(job)});
  }
  pins.sort([](const Pin& a, const Pin& b) { return a.priority > b.priority; });
  return pins;
}

/// Adds a job that is being suspended, in its place, and returns it.
Pin& pin_victim(CycleState& state, const Job& victim, std::int64_t priority) {
  auto& pins = state.pins();
  const auto behind = std::find_if(pins.begin(), pins.end(),
                                   [&](const Pin& other) { return other.priority < priority; });
  return *pins.insert(behind,
                      {victim.id, priority, rest_of_active(state.cluster(), victim, state.now()),
                       state.now() + kLeastSuspension});
}

/// Adds the active jobs that settled starts suspend.
void pin_victims(CycleState& state) {
  std::vector<JobId> jobs;
  for (const SettledStart& settled : state.settled())
    for (const PreemptJob& victim : settled.victims)
      if (victim.how == Preemption::suspend && state.cluster().job(victim.job).holds == 0)
        jobs.push_back(victim.job);
  const auto priorities = priorities_of(state.cluster(), state.settings(), state.now(), jobs);
  for (std::size_t i = 0; i < jobs.size(); ++i)
    pin_victim(state, state.cluster().job(jobs[i]), priorities[i]);
}

/// Keeps their nodes for jobs suspended for that cause, highest priority first, up to `last`.
/// Returns when that job has them; kForever if never, or if limits forbid it to resume then.
Time keep_in_turn(Timeline& timeline, const Cluster& cluster, const Settings& settings,
                  SuspensionCause cause, JobId last) {
  Throttling throttling(cluster, settings, timeline.now());
  for (auto& pin : pins_of(cluster, settings, timeline.now(), cause)) {
    find_start(cluster, timeline, pin);
    const auto& job = cluster.job(pin.job);
    if (pin.start < kForever) timeline.pin(job, pin.rest, job.placement, pin.start);
    if (pin.start <= timeline.now() &&
        throttling.violated(job, pin.rest, Strictness::hard, &job.placement)) {
      timeline.unpin(job.id);
      pin.start = kForever;
    }
    if (pin.job == last) return pin.start;
  }
  return kForever;
}

}  // namespace

Request rest_of(const Cluster& cluster, const Job& job) {
  return rest_of(cluster, job, job.time_left);
}

Request rest_of_active(const Cluster& cluster, const Job& job, Time now) {
  return rest_of(cluster, job, std::max(job.ends - now, Seconds(1)));
}

bool can_resume(const Cluster& cluster, const Job& job) {
  const auto& request = cluster.request(job.request);
  for (const auto& share : job.placement) {
    const auto& here = cluster.occupancy(share.node);
    const auto amount = amount_on(share.node, job.placement, request);
    const auto access = access_on(cluster.node(share.node).policy.access, request.access);
    if (!cluster.node(share.node).available() || here.free.tasks_of(amount) < 1 ||
        !may_join(here, access, job.credentials.user))
      return false;
  }
  return true;
}

void keep_for_suspended(Timeline& timeline, const Cluster& cluster, const Settings& settings,
                        const Job& from) {
  if (cluster.suspended().empty()) return;
  if (preemptible_by(JobFlags(cluster, settings), from) != 0) return;
  keep_in_turn(timeline, cluster, settings, SuspensionCause::preemption, JobId());
}

Time resumption_of(const Cluster& cluster, const Settings& settings, Time now, JobId job) {
  const bool violator = cluster.job(job).suspension_reason->cause == SuspensionCause::violation;
  Timeline timeline(cluster, settings, now, violator);
  const Time resumes = keep_in_turn(timeline, cluster, settings, SuspensionCause::preemption, job);
  if (!violator) return resumes;
  return keep_in_turn(timeline, cluster, settings, SuspensionCause::violation, job);
}

void resume_jobs(CycleState& state) {
  if (state.cluster().suspended().empty() && state.settled().empty()) return;
  state.pins() =
      pins_of(state.cluster(), state.settings(), state.now(), SuspensionCause::preemption);
  pin_victims(state);
  std::size_t next = 0;
  state.pins().remove_if([&](Pin& pin) {
    find_start(state, pin);
    if (pin.start <= state.now()) {
      start_those_before(state, pin, next);
      find_start(state, pin);
    }
    pin_down(state, pin);
    if (pin.start > state.now()) return false;
    const auto& job = state.cluster().job(pin.job);
    const bool forbidden =
        state.throttling().violated(job, pin.rest, Strictness::hard, &job.placement).has_value();
    if (forbidden)
      state.timeline().unpin(job.id);  // keeps no nodes that limits forbid
    else
      state.commit_resume(pin);
    pin.resumes = !forbidden;
    return forbidden;
  });
}

void resume_violators(CycleState& state, const std::function<bool(const Job&)>& saved) {
  const Cluster& cluster = state.cluster();
  if (cluster.suspended().empty()) return;
  if (state.plan().goes_on) return;  // in the next cycle, other jobs have their turn
  auto& timeline = state.timeline();
  for (const auto& pin :
       pins_of(cluster, state.settings(), state.now(), SuspensionCause::violation)) {
    const Job& job = cluster.job(pin.job);
    if (rested(job) > state.now() || saved(job) || !nodes_available(cluster, job) ||
        !timeline.model().has_room(job, pin.rest, job.placement, state.now()) ||
        !state.may_resume(job, pin.rest))
      continue;
    timeline.pin(job, pin.rest, job.placement, state.now());
    state.commit_resume(pin);
  }
}

bool any_behind_reservations(CycleState& state) {
  if (state.pins().empty() || keeps_reservations(state.settings())) return false;
  Time first = kForever;
  for (const auto& held : state.timeline().held()) first = std::min(first, held.start);
  return std::any_of(state.pins().begin(), state.pins().end(), [&](const Pin& pin) {
    return pin.start > std::max(state.now(), pin.rested) && pin.start > first;
  });
}

bool StepAside::frees_any(CycleState& state, std::int64_t priority) {
  return std::any_of(state.pins().begin(), state.pins().end(), [&](const Pin& pin) {
    return !pin.resumes && pin.start < kForever && pin.priority <= priority;
  });
}

StepAside::StepAside(CycleState& state, std::int64_t priority) : state_(state) {
  for (Pin& pin : state.pins()) {
    if (pin.resumes || pin.priority > priority) continue;
    if (pin.start < kForever) state.timeline().unpin(pin.job);
    pin.aside = true;
  }
}

void StepAside::wait(Pin& pin) {
  state_.undo_resume(pin);
  pin.resumes = false;
  pin.aside = true;
}

void StepAside::keep_for(const Job& victim, std::int64_t priority) {
  if (victim.holds == 0) pin_victim(state_, victim, priority).aside = true;
}

void StepAside::free(JobId victim) {
  for (Pin& pin : state_.pins()) {
    if (pin.job != victim || pin.aside) continue;
    if (pin.start < kForever) state_.timeline().unpin(victim);
    pin.aside = true;
  }
}

void StepAside::forget(JobId victim) {
  free(victim);
  state_.pins().remove_if([victim](const Pin& pin) { return pin.job == victim; });
}

StepAside::~StepAside() {
  for (Pin& pin : state_.pins()) {
    if (!std::exchange(pin.aside, false)) continue;
    find_start(state_, pin);
    pin_down(state_, pin);
  }
}

}  // namespace maui
