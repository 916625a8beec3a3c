#include "sched/suspended.h"

#include <algorithm>

#include "model/placement.h"
#include "sched/cycle_state.h"
#include "sched/priority/priority.h"
#include "sched/victim_kind.h"

namespace maui {
namespace {

/// The availability of a suspended job's nodes.
class RoomForSuspended {
 public:
  RoomForSuspended(const Cluster& cluster, Timeline& timeline)
      : cluster_(cluster), timeline_(timeline) {}

  int tasks_on(const NodeTasks& share, const Job& job, const Request& rest, Time start) {
    return timeline_.model().tasks_on(share.node, question(share, job, rest), start);
  }
  /// `amount`: the resources that the caller will ask about.
  void profile_of(const NodeTasks& share, const Job& job, const Request& rest, Profile& out,
                  const Resources* amount = nullptr) {
    auto& model = timeline_.model();
    if (amount) model.model().tables().amount(*amount);  // adds its consumables
    model.profile_of(share.node, question(share, job, rest), out);
  }

 private:
  RequirementQuestion question(const NodeTasks& share, const Job& job, const Request& rest) const {
    return {job, rest, share.requirement, cluster_.node(share.node).partition, rest.limit};
  }

  const Cluster& cluster_;
  Timeline& timeline_;
};

/// True if the pinned job can have its nodes from `start` until it ends.
bool has_room(RoomForSuspended& room, const Job& job, const Pin& pin, Time start) {
  Profile profile;
  for (const auto& share : job.placement) {
    if (room.tasks_on(share, job, pin.rest, start) < share.tasks) return false;
    const auto amount = amount_on(share.node, job.placement, pin.rest);
    room.profile_of(share, job, pin.rest, profile, &amount);
    const auto size = task_size(amount);
    for (auto i = profile.at(start);
         i < profile.size() && profile.level(i).from < start + pin.rest.limit; ++i)
      if (profile.tasks(i, size) < 1) return false;
  }
  return true;
}

/// Returns the first time, not before `from`, at which has_room() holds; kForever if unknown.
Time first_room(const Cluster& cluster, RoomForSuspended& room, const Job& job, const Pin& pin,
                Time from) {
  for (const auto& share : job.placement)
    if (!cluster.node(share.node).available()) return kForever;
  std::vector<Time> times{from};
  Profile profile;
  for (const auto& share : job.placement) {
    room.profile_of(share, job, pin.rest, profile);
    for (std::size_t i = 1; i < profile.size(); ++i)
      if (profile.level(i).from > from) times.push_back(profile.level(i).from);
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  const auto at = std::find_if(times.begin(), times.end(),
                               [&](Time start) { return has_room(room, job, pin, start); });
  return at == times.end() ? kForever : *at;
}

/// Finds the first time at which the job can have its nodes.
void find_start(const Cluster& cluster, RoomForSuspended room, Time now, Pin& pin) {
  const auto& job = cluster.job(pin.job);
  const Time from = std::max(now, job.suspended_since + kLeastSuspension);
  pin.start = first_room(cluster, room, job, pin, from);
}

void find_start(CycleState& state, Pin& pin) {
  find_start(state.cluster(), RoomForSuspended(state.cluster(), state.timeline()), state.now(),
             pin);
}

/// Keeps the job's nodes for it from its start on.
void pin_down(CycleState& state, const Pin& pin) {
  const auto& job = state.cluster().job(pin.job);
  if (pin.start < kForever) state.timeline().pin(job, pin.rest, job.placement, pin.start);
}

/// Starts preemptors above this priority, which could only take the job's nodes back, up to the
/// first other job that waits: no preemptor overtakes it.
void start_preemptors_above(CycleState& state, std::int64_t priority, std::size_t& next) {
  const bool kept = keeps_reservations(state.settings());  // reserved jobs have their turn later
  for (; next < state.jobs() && state.plan().order[next].priority > priority; ++next) {
    if (!state.open(next) ||
        state.throttling().holds_back(state.plan().order[next], Strictness::soft))
      continue;
    if (preemptible_by(state.flags(), state.job(next)) == 0) return;
    if (!(kept && state.job(next).reservation.valid())) state.start(next, Seconds(0), false);
  }
}

/// Returns the suspended jobs that may resume by themselves, highest priority first.
std::vector<Pin> pins_of(const Cluster& cluster, const Settings& settings, Time now) {
  std::vector<JobId> jobs;
  for (const JobId id : cluster.suspended())
    if (cluster.job(id).may_resume()) jobs.push_back(id);
  const auto priorities = priorities_of(cluster, settings, now, jobs);
  std::vector<Pin> pins;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    pins.push_back({jobs[i], priorities[i], rest_of(cluster, cluster.job(jobs[i])), kForever});
  }
  std::stable_sort(pins.begin(), pins.end(),
                   [](const Pin& a, const Pin& b) { return a.priority > b.priority; });
  return pins;
}

/// Keeps their nodes for suspended jobs, highest priority first, up to `last`.  Returns when that
/// job has them; kForever if never, or if limits forbid it to resume then.
Time keep_in_turn(Timeline& timeline, const Cluster& cluster, const Settings& settings,
                  JobId last) {
  Throttling throttling(cluster, settings, timeline.now());
  for (auto& pin : pins_of(cluster, settings, timeline.now())) {
    find_start(cluster, RoomForSuspended(cluster, timeline), timeline.now(), pin);
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
  Request rest = cluster.request(job.request);
  rest.limit = job.time_left;
  rest.by_speed = false;  // the limit is already in seconds on these nodes
  return rest;
}

bool can_resume(const Cluster& cluster, const Job& job) {
  const auto& request = cluster.request(job.request);
  for (const auto& share : job.placement) {
    const auto& here = cluster.occupancy(share.node);
    const auto amount = amount_on(share.node, job.placement, request);
    const auto access = cluster.node(share.node).policy.access.value_or(request.access);
    const bool alone = access == NodeAccess::dedicated || access == NodeAccess::single_task;
    if (!cluster.node(share.node).available() || here.exclusive() ||
        (alone && !here.occupants.empty()) || here.free.tasks_of(amount) < 1)
      return false;
    for (const auto& occupant : here.occupants)
      if (occupant.user != job.credentials.user &&
          (access == NodeAccess::single_user || occupant.access == NodeAccess::single_user))
        return false;
  }
  return true;
}

void keep_for_suspended(Timeline& timeline, const Cluster& cluster, const Settings& settings,
                        const Job& from) {
  if (cluster.suspended().empty()) return;
  if (preemptible_by(JobFlags(cluster, settings), from) != 0) return;
  keep_in_turn(timeline, cluster, settings, JobId());
}

Time resumption_of(const Cluster& cluster, const Settings& settings, Time now, JobId job) {
  Timeline timeline(cluster, settings, now, false);
  return keep_in_turn(timeline, cluster, settings, job);
}

void resume_jobs(CycleState& state) {
  if (state.cluster().suspended().empty()) return;
  state.pins() = pins_of(state.cluster(), state.settings(), state.now());
  std::size_t next = 0;
  for (auto& pin : state.pins()) {
    find_start(state, pin);
    if (pin.start <= state.now()) {
      start_preemptors_above(state, pin.priority, next);
      find_start(state, pin);
    }
    pin_down(state, pin);
    if (pin.start > state.now()) continue;
    const auto& job = state.cluster().job(pin.job);
    if (state.throttling().violated(job, pin.rest, Strictness::hard, &job.placement)) {
      state.timeline().unpin(job.id);  // keeps no nodes that limits forbid
      pin.start = kForever;
    } else {
      state.commit_resume(pin);
    }
  }
}

StepAside::StepAside(CycleState& state, std::int64_t priority) : state_(state) {
  for (auto& pin : state.pins())
    if (pin.start > state.now() && pin.start < kForever && pin.priority <= priority) {
      state.timeline().unpin(pin.job);
      moved_.push_back(&pin);
    }
}

StepAside::~StepAside() {
  for (auto* pin : moved_) {
    find_start(state_, *pin);
    pin_down(state_, *pin);
  }
}

}  // namespace maui
