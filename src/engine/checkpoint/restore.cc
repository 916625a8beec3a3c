// Restores a checkpoint: its jobs and reservations find their place as they are reported.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "engine/reports/in_use.h"
#include "engine/state.h"
#include "model/placement.h"
#include "sched/rules/partition_policies.h"

namespace maui {
namespace {

/// The part on nodes that are known.
Placement known_of(const Cluster& cluster, const std::vector<NamedShare>& shares) {
  Placement known;
  for (const NamedShare& share : shares)
    if (const NodeId node = cluster.find_node(share.node); node.valid())
      known.push_back({node, share.tasks, share.requirement});
  return known;
}

/// The job of that name that is reported now is the one that was known then.
bool same_job(const CheckpointedJob& saved, Time submitted) {
  return submitted <= saved.seen || about(submitted, saved.submitted);
}

}  // namespace

void Engine::restore(Checkpoint checkpoint, Seconds clock_set) {
  State& state = *state_;
  if (clock_set != Seconds(0)) {
    state.note_step(clock_set);
    shift(checkpoint, clock_set);
  }
  state.pending_restore.when = checkpoint.when;
  state.pending_restore.unaccounted_since = std::min(checkpoint.when, now());
  const Seconds expiration = state.settings.server.checkpoint_expiration;
  for (CheckpointedJob& saved : checkpoint.jobs)
    if (expiration >= kUnlimited || now() - saved.seen <= expiration)
      state.pending_restore.jobs.emplace(saved.name, std::move(saved));
  state.pending_restore.reservations = std::move(checkpoint.reservations);
  for (Cluster::Waiver& waiver : checkpoint.waivers) state.cluster.waive(std::move(waiver));
  state.triggers.resume(checkpoint.triggers_asked, std::move(checkpoint.triggers_later));
  state.reservation_numbers = std::move(checkpoint.reservation_numbers);
  state.statistics = std::move(checkpoint.statistics);
  if (checkpoint.fairshare)
    state.pending_restore.charges = state.fairshare.resume(
        *std::move(checkpoint.fairshare), state.settings.fairshare, checkpoint.in_good_order);
  if (checkpoint.learned) state.learning.restore(*checkpoint.learned);
  state.job_ends.restore(std::move(checkpoint.ended), std::move(checkpoint.completed));
  state.managers.restore_heard(std::move(checkpoint.heard));
  state.allocations.resume(std::move(checkpoint.charges), std::move(checkpoint.idle));
}

std::optional<CheckpointedJob> Engine::State::take_checkpointed(const JobReport& report) {
  auto known = pending_restore.jobs.extract(report.name);
  if (known.empty() || !same_job(known.mapped(), report.job.submitted)) return std::nullopt;
  CheckpointedJob saved = std::move(known.mapped());
  // The report of the resource manager says better now what held it then.
  if (saved.hold_reason.cause == HoldCause::unusable_report ||
      saved.hold_reason.cause == HoldCause::refused) {
    put(saved.holds, Hold::batch, false);
    saved.hold_reason = {};
  }
  return saved;
}

void Engine::State::restore_in_queue(const CheckpointedJob& saved, JobId id) {
  cluster.add_bypass(id, saved.bypass);
  if (saved.promised < kForever || saved.fair_wait < kUnlimited) {
    cluster.run_times.at(id).promised = saved.promised;
    cluster.run_times.at(id).fair_wait = saved.fair_wait;
  }
  if (has(saved.holds, Hold::defer)) holds.restore_deferral(id, saved.failures.deferred_until);
  // As far as anybody knows it has been held all the time.
  if (saved.holds != 0 && saved.seen < now() &&
      settings.throttling.accrual_policy() != QueueTimeAccrual::always) {
    cluster.delay_queue(std::span(&id, 1), now() - saved.seen, now());
    cluster.set_eligible_since(id, now());
  }
  restore_place(saved, id);
  if (!saved.qos.empty()) entitlements.give_qos(id, cluster.qos.intern(saved.qos));
  if (saved.account.empty()) return;
  cluster.set_account(id, cluster.accounts.intern(saved.account));
  entitlements.renew(id);
}

void Engine::State::restore_place(const CheckpointedJob& saved, JobId id) {
  if (saved.reserved_on.empty() || !keeps_reservations(settings)) return;
  const Request& request = cluster.request_of(id);
  Reservation kept;
  kept.kind = ReservationKind::job;
  kept.job = id;
  kept.start = saved.reserved;
  kept.nodes = known_of(cluster, saved.reserved_on);
  const bool as_then =  // its nodes are all there, and it asks for no less and no more
      kept.nodes.size() == saved.reserved_on.size() &&
      task_count(kept.nodes) == request.total_tasks() &&
      std::all_of(saved.reserved_on.begin(), saved.reserved_on.end(), [&](const NamedShare& share) {
        return share.requirement < request.requirements.size();
      });
  if (!as_then) return;
  kept.end = kept.start + cluster.limit_on(request, kept.nodes);
  cluster.add_reservation(std::move(kept));
}

void Engine::State::restore_run(const CheckpointedJob& saved, JobId id, JobReport& report) {
  if (!saved.run) return;
  const Job& was = saved.run->job;
  Job& is = report.job;
  if (is.state == JobState::not_queued) is.state = was.state;
  if (is.state == JobState::idle) {
    // It was started a moment ago and that does not show yet, or it has come back.  How long that
    // has been so counts from then, however often the scheduler begins anew.
    if (!running_jobs.adopt(id, {was.state, saved.run->task_list, was.started, was.suspended_time,
                                 was.suspended_since, was.stays_suspended}))
      return;
    cluster.set_priority(id, was.priority);
    const Time since = was.state == JobState::starting ? was.started : saved.seen;
    if (job_doubts.is_certain(cluster.job(id)) || now() - since >= settings.jobs.sync_time)
      end_restored_run(saved, id);
    else
      job_doubts.note_restored(id, since);
    return;
  }
  if (is.started < kForever && is.started > saved.seen) return;  // it is another run
  cluster.set_priority(id, was.priority);
  const bool began_since = was.state == JobState::starting && is.started < kForever;
  is.started = began_since ? std::max(is.started, was.started) : was.started;
  // Less than nothing: the clock was set back.
  if (was.suspended_time > is.suspended_time || is.suspended_time == Seconds(0))
    is.suspended_time = was.suspended_time;
  if (is.suspended_since == kForever) is.suspended_since = was.suspended_since;
  if (was.state == JobState::suspended) is.stays_suspended = was.stays_suspended;
  if (report.task_list.empty()) report.task_list = saved.run->task_list;
}

void Engine::State::end_restored_run(const CheckpointedJob& saved, JobId id) {
  const Job& job = cluster.job(id);
  if (job.state == JobState::starting) return failed_starts.undo(id);
  const Time until = job.suspended() ? job.suspended_since
                                     : std::max(saved.seen, job.started + job.suspended_time);
  allocations.settle(job, until - job.started - job.suspended_time, until, false);
  fairshare.settle(cluster, settings.fairshare, id, until);
  statistics.account_lost_run(cluster, id, until);
  cluster.requeue_job(id, now());
}

void Engine::State::restore_lost_runs() {
  std::vector<CheckpointedJob> gone;
  for (const auto& [name, saved] : pending_restore.jobs) {
    if (!saved.run) continue;
    const auto& manager = saved.run->job.resource_manager;
    if (!managers.silent(manager)) gone.push_back(saved);
  }
  std::sort(gone.begin(), gone.end(),
            [](const CheckpointedJob& a, const CheckpointedJob& b) { return a.name < b.name; });
  for (CheckpointedJob& saved : gone) {
    log(1, "fRM", [&] {
      return fmt::format("job '{}' ran when the checkpoint was written, and is not reported",
                         saved.name);
    });
    JobReport report = *saved.run;
    submit(report, classes_in_use(cluster));
    const JobId id = cluster.find_job(saved.name);
    job_doubts.note_lost(id, saved.seen);
  }
}

bool Engine::State::was_accounted(const PastJob& past) const {
  const std::string& manager = past.report.job.resource_manager;
  const auto heard = managers.heard(manager.empty() ? std::string(rm->name()) : manager);
  if (!heard || past.end.when <= *heard - kClocks) return true;
  return job_ends.accounted(past.report.name, past.report.job.submitted);
}

void Engine::State::account_past(const PastJob& past) {
  const std::string& name = past.report.name;
  if (cluster.find_job(name).valid()) return;
  const auto known = pending_restore.jobs.find(name);
  const bool is_pending =
      known != pending_restore.jobs.end() && same_job(known->second, past.report.job.submitted);
  // One that came back into the queue and was removed there has no run in its record.
  const bool run_reported = past.report.job.started < kForever || !past.report.task_list.empty();
  const bool ran_then =
      is_pending && known->second.run && (run_reported || past.end.state == JobState::completed);
  if (!is_pending && was_accounted(past)) return;
  JobReport report = past.report;
  if (ran_then && report.task_list.empty()) report.task_list = known->second.run->task_list;
  if (!report.problem.empty()) {
    if (!ran_then) return;
    report = *known->second.run;
  }
  const bool placed = ran_then || (report.job.started < kForever && !report.task_list.empty());
  report.job.state = placed ? JobState::running : JobState::idle;
  if (is_pending && !placed) known->second.run.reset();
  submit(report, classes_in_use(cluster));
  const JobId id = cluster.find_job(name);
  // Where it ran is not reported; how long, and on how much, is.
  const bool unplaced =
      !placed && report.problem.empty() && report.job.started < kForever &&
      (past.end.state == JobState::completed || report.job.started < past.end.when);
  if (unplaced) {
    cluster.start_job(id, {}, std::min(report.job.started, now()));
    learning.started(cluster, settings, id);
  }
  if (placed && !is_pending) job_doubts.resolve_split(cluster.job(id), past.report.task_list);
  const Time started = cluster.job(id).started;
  std::erase(no_queue, id);
  job_ends.end(id, past.end.state,
               started < kForever ? std::max(started, past.end.when) : past.end.when,
               past.end.exit_code);
}

void Engine::State::restore_reservations() {
  std::erase_if(pending_restore.reservations, [this](const CheckpointedReservation& saved) {
    if (allocations.is_over(saved.terms)) {  // its end comes late
      reservations.restore_end(saved.terms);
      return true;
    }
    Reservation wanted = saved.terms;
    wanted.nodes = known_of(cluster, saved.shares);
    if (wanted.nodes.empty()) return false;
    const bool whole = wanted.nodes.size() == saved.shares.size();
    if (!whole)
      log(1, "fSCHED", [&] {
        return fmt::format("WARNING: reservation '{}': {} of its {} nodes are not known yet",
                           wanted.name, saved.shares.size() - wanted.nodes.size(),
                           saved.shares.size());
      });
    reservations.restore(std::move(wanted), saved.life);
    return whole;
  });
}

/// The time in which no scheduler ran.
void Engine::State::account_gap() {
  auto& since = pending_restore.unaccounted_since;
  if (!since) return;
  statistics.account_interval(cluster, now() - *since);
  since.reset();
  allocations.account_reservations(now());
}

}  // namespace maui
