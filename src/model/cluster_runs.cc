// Runs of a cluster's jobs: they start, are suspended and resumed, move and end.
#include <algorithm>
#include <cassert>
#include <utility>

#include "maui/cluster.h"
#include "model/alter.h"

namespace maui {

void Cluster::start_job(JobId id, Placement placement, Time now, bool backfilled) {
  Job& job = jobs_[id.index()];
  assert(job.waiting());
  if (job.reservation.valid()) {
    // A start in exactly the reserved place frees no resources.
    const Reservation& kept = reservation(job.reservation);
    const bool as_reserved = kept.start <= now && kept.nodes == placement;
    release_reservation(job.reservation);
    if (as_reserved) --releases_;
  }
  dequeue(job);
  job.use.clear();  // of an earlier run
  job.past_use.clear();
  job.used_run = Seconds(0);
  job.placement = std::move(placement);
  job.state = JobState::running;
  job.started = now;
  job.ends = now + limit_of(job);
  job.ended = kForever;
  ++job.start_count;
  ++job.attempts;
  job.suspended_time = job.clock_set = job.clock_ahead = Seconds(0);
  put(job.flags, JobFlag::backfill, backfilled);
  activate(job);
  occupy(job, now);
}

void Cluster::end_job(JobId id, JobState final_state, Time now) {
  Job& job = jobs_[id.index()];
  assert(job.active() || job.waiting() || job.suspended());
  if (job.waiting()) {
    if (job.reservation.valid()) release_reservation(job.reservation);
    dequeue(job);
  } else if (job.suspended()) {
    job.suspended_time += now - job.suspended_since;
    std::erase(suspended_, id);
  } else {
    if (now < job.ends) ++releases_;
    leave_nodes(job, now);
  }
  job.state = final_state;
  job.ended = now;
}

void Cluster::requeue_job(JobId id, Time now) {
  Job& job = jobs_[id.index()];
  assert(job.active() || job.suspended());
  if (job.active()) {
    leave_nodes(job, now);
  } else {
    std::erase(suspended_, id);
  }
  job.placement.clear();
  job.state = JobState::idle;
  job.started = job.ends = job.suspended_since = kForever;
  job.suspension_reason.clear();
  put(job.flags, JobFlag::backfill, false);
  enqueue(job);
  ++releases_;
}

void Cluster::undo_start(JobId id, Time now) {
  requeue_job(id, now);
  --jobs_[id.index()].start_count;
}

void Cluster::checkpoint_job(JobId id, Time now, Seconds kept) {
  Request shorter = request_of(id);
  // With by_speed, the limit of a request is that on a node of speed 1.
  if (const Seconds here = limit_on(shorter, job(id).placement);
      shorter.by_speed && shorter.limit < kUnlimited)
    kept = Seconds(kept.raw() * shorter.limit.raw() / std::max(here.raw(), std::int64_t{1}));
  requeue_job(id, now);
  kept = std::min(kept, shorter.limit - Seconds(1));
  if (kept <= Seconds(0)) return;
  if (shorter.limit < kUnlimited) shorter.limit = shorter.limit - kept;
  jobs_[id.index()].kept_run += kept;
  set_request(id, std::move(shorter));
}

void Cluster::suspend_job(JobId id, Time now, SuspensionReason reason) {
  Job& job = jobs_[id.index()];
  assert(job.active());
  leave_nodes(job, now);
  job.state = JobState::suspended;
  job.suspended_since = now;
  job.suspension_reason = std::move(reason);
  job.time_left = std::max(job.ends - now, Seconds(1));
  job.ends = kForever;
  suspended_.push_back(id);
  ++releases_;
}

void Cluster::keep_suspended(JobId id) {
  assert(job(id).suspended());
  jobs_[id.index()].suspension_reason = SuspensionReason{SuspensionCause::by_hand};
}

void Cluster::resume_job(JobId id, Time now) {
  Job& job = jobs_[id.index()];
  assert(job.suspended());
  std::erase(suspended_, id);
  job.state = JobState::running;
  job.suspended_time += now - job.suspended_since;
  job.suspended_since = kForever;
  job.suspension_reason.clear();
  job.ends = now + job.time_left;
  activate(job);
  occupy(job, now);
}

void Cluster::set_starting(JobId id) {
  Job& job = jobs_[id.index()];
  assert(job.active());
  job.state = JobState::starting;
  placed_jobs_.note(id);
}

void Cluster::set_running(JobId id, Time since) {
  Job& job = jobs_[id.index()];
  assert(job.state == JobState::starting);
  job.state = JobState::running;
  placed_jobs_.note(id);
  if (since <= job.started) return;
  extend_job(id, std::max(job.ends, limit_end(job) + (since - job.started)));
  job.started = since;
}

void Cluster::set_use(JobId id, const JobUse& use, bool over, Time now) {
  Job& job = jobs_[id.index()];
  job.used_run = std::max(now - job.started - job.suspended_time, Seconds(0));
  PastUse past = job.past_use;
  if (use.cpu_seconds != job.use->cpu_seconds) past.cpu_run = job.used_run;
  job.use = use;
  JobUse& peak = past.peak;
  peak = {std::max(peak.procs, use.procs), std::max(peak.memory, use.memory),
          std::max(peak.swap, use.swap), std::max(peak.disk, use.disk),
          std::max(peak.cpu_seconds, use.cpu_seconds)};
  if (!over)
    past.over_since = kForever;
  else if (past.over_since == kForever)
    past.over_since = now;
  job.past_use = past;
}

void Cluster::leave_nodes(const Job& job, Time now) {
  deactivate(job);
  vacate(job, now);
  ++departures_;
}

void Cluster::move_job(JobId id, Placement placement, Time now) {
  Job& job = jobs_[id.index()];
  assert(job.active());
  vacate(job, now);
  job.placement = std::move(placement);
  occupy(job, now);
  ++releases_;
}

void Cluster::extend_job(JobId id, Time until) {
  Job& job = jobs_[id.index()];
  assert(job.active());
  deactivate(job);
  placed_jobs_.note(id);
  const bool sooner = until < job.ends;
  if (sooner) ++releases_;
  job.ends = until;
  activate(job);
  for (const Placement::Part& part : job.placement.parts()) {
    if (sooner) make_room(part.nodes);
    alter(part.nodes, [&](NodeRun, Occupancy& here) {
      for (Occupant& occupant : here.occupants)
        if (occupant.job == id) occupant.ends = until;
    });
  }
}

void Cluster::shift_run(JobId id, Seconds by) {
  Job& job = jobs_[id.index()];
  if (job.suspended()) {
    job.suspended_since = job.suspended_since + by;
    job.suspended_time += by;
    job.clock_set += by;
  } else if (job.state == JobState::starting) {  // its resource manager has yet to tell its start
    extend_job(id, job.ends + by);
    job.started = job.started + by;
  } else {
    set_clock_set(id, job.clock_set + by);
  }
}

void Cluster::set_clock_set(JobId id, Seconds by) {
  Job& job = jobs_[id.index()];
  set_suspended_time(id, job.suspensions() + by);
  job.clock_set = by;
}

void Cluster::set_clock_ahead(JobId id, Seconds by) {
  Job& job = jobs_[id.index()];
  set_clock_set(id, job.clock_step() - by);
  job.clock_ahead = by;
}

void Cluster::set_suspended_time(JobId id, Seconds total) {
  Job& job = jobs_[id.index()];
  if (job.active()) extend_job(id, job.ends + (total - job.suspended_time));
  job.suspended_time = total;
}

}  // namespace maui
