#include "sched/preemption.h"

#include <algorithm>
#include <map>

#include "model/placement.h"
#include "sched/cycle_state.h"
#include "sched/placement/feasibility.h"
#include "sched/priority/priority.h"
#include "sched/victims.h"

namespace maui {
namespace {

/// The victims that a waiting job may preempt, as bits of VictimKind.
unsigned preemptible_by(const JobFlags& all, const Job& job) {
  const auto flags = all.of(job);
  return (has(flags, JobFlag::preemptor) ? bit(VictimKind::preemptee) : 0U) |
         (has(flags, JobFlag::restart_preempt) ? bit(VictimKind::restartable) : 0U);
}

// --- suspended jobs -----------------------------------------------------------

/// The standing of a suspended job's nodes.
class RoomForSuspended {
 public:
  RoomForSuspended(const Cluster& cluster, Timeline& timeline)
      : cluster_(cluster), timeline_(timeline) {}

  int tasks_on(const NodeTasks& share, const Job& job, const Request& rest, Time start) {
    return timeline_.model().tasks_on(share.node, question(share, job, rest), start);
  }
  /// `amount`: what will be asked for.
  void profile_of(const NodeTasks& share, const Job& job, const Request& rest, Profile& out,
                  const Resources* amount = nullptr) {
    auto& model = timeline_.model();
    if (amount) model.model().tables().amount(*amount);  // its consumables count
    model.profile_of(share.node, question(share, job, rest), out);
  }

 private:
  RequirementQuestion question(const NodeTasks& share, const Job& job, const Request& rest) const {
    return {job, rest, share.requirement, cluster_.node(share.node).partition, rest.limit};
  }

  const Cluster& cluster_;
  Timeline& timeline_;
};

/// Does the pinned job have its nodes from `start` until it ends?
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

/// The first moment, not before `from`, from which it has; kForever if there is none in sight.
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

/// Finds the first moment at which the job can have its nodes.
void find_start(const Cluster& cluster, RoomForSuspended room, Time now, Pin& pin) {
  const auto& job = cluster.job(pin.job);
  const Time from = std::max(now, job.suspended_since + kLeastSuspension);
  pin.start = first_room(cluster, room, job, pin, from);
}

/// Keeps the job's nodes for it from then on.
void pin_down(CycleState& state, Pin& pin) {
  const auto& job = state.cluster().job(pin.job);
  find_start(state.cluster(), RoomForSuspended(state.cluster(), state.timeline()), state.now(),
             pin);
  if (pin.start < kForever) state.timeline().pin(job, pin.rest, job.placement, pin.start);
}

/// Preemptors that could only take the job's nodes back come before it.
void start_preemptors_above(CycleState& state, std::int64_t priority, std::size_t& next) {
  const bool kept = keeps_reservations(state.settings());  // these have their turn later
  for (; next < state.jobs() && state.plan().order[next].priority > priority; ++next)
    if (state.open(next) && preemptible_by(state.flags(), state.job(next)) != 0 &&
        !(kept && state.job(next).reservation.valid()))
      state.start(next, Seconds(0), false);
}

/// The suspended jobs, highest priority first.
std::vector<Pin> pins_of(const Cluster& cluster, const Settings& settings, Time now) {
  const auto suspended = cluster.suspended();
  const std::vector<JobId> jobs(suspended.begin(), suspended.end());
  const auto priorities = priorities_of(cluster, settings, now, jobs);
  std::vector<Pin> pins;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    Pin pin{jobs[i], priorities[i], cluster.request_of(jobs[i]), kForever};
    pin.rest.limit = cluster.job(jobs[i]).time_left;
    pin.rest.by_speed = false;  // it is what is left on these nodes
    pins.push_back(std::move(pin));
  }
  std::stable_sort(pins.begin(), pins.end(),
                   [](const Pin& a, const Pin& b) { return a.priority > b.priority; });
  return pins;
}

}  // namespace

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
  Throttling throttling(cluster, settings, timeline.now());
  for (auto& pin : pins_of(cluster, settings, timeline.now())) {
    find_start(cluster, RoomForSuspended(cluster, timeline), timeline.now(), pin);
    const auto& job = cluster.job(pin.job);
    if (pin.start >= kForever) continue;
    timeline.pin(job, pin.rest, job.placement, pin.start);
    if (pin.start <= timeline.now() &&
        throttling.violated(job, pin.rest, Strictness::hard, &job.placement))
      timeline.unpin(job.id);
  }
}

void resume_jobs(CycleState& state) {
  if (state.cluster().suspended().empty()) return;
  state.pins() = pins_of(state.cluster(), state.settings(), state.now());
  std::size_t next = 0;
  for (auto& pin : state.pins()) {
    start_preemptors_above(state, pin.priority, next);
    pin_down(state, pin);
    if (pin.start > state.now()) continue;
    const auto& job = state.cluster().job(pin.job);
    if (state.throttling().violated(job, pin.rest, Strictness::hard, &job.placement)) {
      state.timeline().unpin(job.id);  // it keeps nothing that it may not use
      pin.start = kForever;
    } else {
      state.commit_resume(pin);
    }
  }
}

// --- preemptors ---------------------------------------------------------------

StepAside::StepAside(CycleState& state, std::int64_t priority) : state_(state) {
  for (auto& pin : state.pins())
    if (pin.start > state.now() && pin.start < kForever && pin.priority <= priority) {
      state.timeline().unpin(pin.job);
      moved_.push_back(&pin);
    }
}

StepAside::~StepAside() {
  for (auto* pin : moved_) pin_down(state_, *pin);
}

namespace {

/// BACKFILLPOLICY PREEMPT: so many jobs at the head of the queue, and of that of each partition
/// with this policy of its own, may preempt what backfill started.
class Heads {
 public:
  explicit Heads(const CycleState& state) : state_(state) {
    for (const auto& stack : state.settings().reservation_stacks) depth_ += stack.depth;
  }
  bool take(std::size_t rank) {
    if (state_.backfill_policy(rank) != BackfillPolicy::preempt) return false;
    return taken_[backfills_by(state_.cluster(), state_.settings(), state_.request(rank))]++ <
           depth_;
  }

 private:
  const CycleState& state_;
  int depth_ = 0;
  std::map<PartitionId, int> taken_;
};

/// Tries each shape of the job.
void start_by_preempting(CycleState& state, Victims& victims, std::size_t rank,
                         unsigned victim_kinds) {
  const auto& job = state.job(rank);
  if (job.alternatives.empty()) {
    victims.make_room(rank, state.request(rank), 0, victim_kinds);
    return;
  }
  for (std::size_t i = 0; i < job.alternatives.size(); ++i)
    if (victims.make_room(rank, in_shape(state.request(rank), job.alternatives[i]), i,
                          victim_kinds))
      return;
}

}  // namespace

void preempt(CycleState& state) {
  const OwnedReservations owned(state.cluster(), state.now());
  Victims victims(state, owned);
  Heads heads(state);
  for (std::size_t rank = 0; rank < state.jobs() && !victims.none(); ++rank) {
    if (!state.open(rank) && state.reason(rank) != Reason::reserved_later) continue;
    auto victim_kinds = preemptible_by(state.flags(), state.job(rank));
    if (heads.take(rank)) victim_kinds |= bit(VictimKind::preemptee) | bit(VictimKind::backfilled);
    if (owned.any() && owned.owner(state.job(rank))) victim_kinds |= bit(VictimKind::guest);
    if (victim_kinds == 0) continue;
    if (state.throttling().holds_back(state.plan().order[rank], state.level())) continue;
    if (state.open(rank) && state.start(rank, Seconds(0), false)) continue;
    start_by_preempting(state, victims, rank, victim_kinds);
  }
}

}  // namespace maui
