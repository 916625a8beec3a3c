// Checkpoints: what is to be remembered, and how a scheduler goes on with what another remembered.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "engine/reports/entitle.h"
#include "engine/reports/in_use.h"
#include "engine/reports/report.h"
#include "engine/state.h"
#include "model/placement.h"
#include "sched/rules/partition_policies.h"

namespace maui {
namespace {

std::map<std::string_view, const JobMemory*> in_order(
    const std::unordered_map<std::string, JobMemory>& memories) {
  std::map<std::string_view, const JobMemory*> ordered;
  for (const auto& [name, memory] : memories) ordered.emplace(name, &memory);
  return ordered;
}

/// The part on nodes that are known.
Placement known_of(const Cluster& cluster, const std::vector<NamedShare>& shares) {
  Placement known;
  for (const NamedShare& share : shares)
    if (const NodeId node = cluster.find_node(share.node); node.valid())
      known.push_back({node, share.tasks, share.requirement});
  return known;
}

bool nothing_promised(const RunTimes::OfJob& job) {
  return job.promised >= kForever && job.fair_wait >= kUnlimited;
}

/// The job of that name that is reported now is the one that was known then.
bool same_job(const JobMemory& memory, Time submitted) {
  return submitted <= memory.seen || about(submitted, memory.submitted);
}

/// BANKFALLBACKACCOUNT.
bool on_fallback(const EngineKnowledge& known, const Job& job) {
  const auto& fallback = known.settings.allocations.fallback_account;
  return !fallback.empty() && job.credentials.account == known.cluster.accounts.find(fallback);
}

/// True if the job keeps its priority reservation until it starts.
bool keeps_place(const EngineKnowledge& known, const Job& job) {
  return job.waiting() && job.reservation.valid() && keeps_reservations(known.settings);
}

/// True if a scheduler that has never heard of the job would come to know all of it.
bool nothing_to_remember(const EngineKnowledge& known, const Job& job) {
  const bool untouched = (job.holds & ~job.holds_told) == 0 && job.failures == JobFailures{} &&
                         job.system_priority == SystemPriority{} && !job.qos_set;
  const bool never_ran = job.waiting() && job.start_count == 0 && job.kept_run == Seconds(0);
  const bool dependencies_open = std::none_of(
      job.dependencies.begin(), job.dependencies.end(),
      [](const Dependency& dependency) { return dependency.state == DependencyState::met; });
  return untouched && never_ran && dependencies_open && known.cluster.bypasses(job.id) == 0 &&
         job.queued == job.submitted &&
         job.eligible_since - job.submitted <= known.settings.poll_interval &&
         !on_fallback(known, job) && !keeps_place(known, job) &&
         nothing_promised(known.cluster.run_times.of(job.id));
}

JobMemory memory_of(const EngineKnowledge& known, const Job& job, Time now) {
  JobMemory memory = maui::memory_of(known.cluster, job, now);
  // While its resource manager is silent it may have ended.
  if (const auto heard = known.managers.heard(job.resource_manager); memory.run && heard) {
    const Time changed = job.suspended() ? job.suspended_since : job.started;
    memory.seen = std::min(memory.seen, std::max(changed, *heard));
  }
  // Since then it has been reported as waiting.
  for (const DoubtedJob& doubted : known.unexpected)
    if (doubted.job == job.id && doubted.arrival == job.arrival &&
        doubted.reported == JobState::idle)
      memory.seen = std::min(memory.seen, doubted.since);
  if (memory.run) memory.charged = known.fairshare.charged(job);
  memory.promised = known.cluster.run_times.of(job.id).promised;
  memory.fair_wait = known.cluster.run_times.of(job.id).fair_wait;
  if (on_fallback(known, job)) memory.account = known.settings.allocations.fallback_account;
  if (keeps_place(known, job)) {
    const Reservation& kept = known.cluster.reservation(job.reservation);
    memory.reserved = kept.start;
    memory.reserved_on = shares_of(known.cluster, kept);
  }
  return memory;
}

}  // namespace

Checkpoint Engine::checkpoint() const {
  const State& state = *state_;
  Checkpoint made;
  made.when = state.recalled.unaccounted_since.value_or(state.accounted);
  const Cluster& known = cluster();  // with what is kept loosely brought up to date
  for (const JobId id : known.jobs())
    if (const Job& job = known.job(id); !nothing_to_remember(state, job))
      made.jobs.push_back(memory_of(state, job, state.now()));
  for (const auto& [name, memory] : in_order(state.recalled.jobs)) made.jobs.push_back(*memory);
  for (const ReservationId id : known.reservations())
    if (const Reservation& reservation = known.reservation(id);
        reservation.kind != ReservationKind::job && reservation.resource_manager.empty()) {
      made.reservations.push_back(memory_of(known, reservation));
      made.reservations.back().life = state.triggers.life_of(reservation);
    }
  for (const ReservationMemory& memory : state.recalled.reservations) {
    const auto same = [&](const auto& other) { return other.terms.name == memory.terms.name; };
    std::erase_if(made.reservations, same);  // a part of it: some nodes are not known yet
    made.reservations.push_back(memory);
  }
  const auto& lately = state.lately_ended.all();
  made.ended.assign(lately.begin(), lately.end());
  const auto& completed = ended_jobs();
  made.completed.assign(completed.begin(), completed.end());
  made.heard = state.managers.all_heard();
  made.waivers = known.waivers();
  made.triggers_asked = state.triggers.asked();
  made.triggers_later = state.triggers.later();
  made.reservation_numbers = state.reservation_numbers;
  made.statistics = state.statistics;
  made.fairshare = state.fairshare.history();
  // With NONE, too: what was learned before is for those who come back to it.
  auto learned = state.learning.memory();
  if (state.settings.learning.use != LearningUse::none || !learned.rings.empty())
    made.learned = std::move(learned);
  made.charges = charges_due();
  made.idle = state.idle_charges.open();
  return made;
}

void Engine::restore(Checkpoint checkpoint, Seconds clock_set) {
  State& state = *state_;
  if (clock_set != Seconds(0)) {
    state.note_step(clock_set);
    shift(checkpoint, clock_set);
  }
  state.recalled.when = checkpoint.when;
  state.recalled.unaccounted_since = std::min(checkpoint.when, now());
  const Seconds expiration = state.settings.server.checkpoint_expiration;
  for (JobMemory& memory : checkpoint.jobs)
    if (expiration >= kUnlimited || now() - memory.seen <= expiration)
      state.recalled.jobs.emplace(memory.name, std::move(memory));
  state.recalled.reservations = std::move(checkpoint.reservations);
  for (Cluster::Waiver& waiver : checkpoint.waivers) state.cluster.waive(std::move(waiver));
  state.triggers.resume(checkpoint.triggers_asked, std::move(checkpoint.triggers_later));
  state.reservation_numbers = std::move(checkpoint.reservation_numbers);
  state.statistics = std::move(checkpoint.statistics);
  if (checkpoint.fairshare)
    state.recalled.charges = state.fairshare.resume(
        *std::move(checkpoint.fairshare), state.settings.fairshare, checkpoint.in_good_order);
  if (checkpoint.learned) state.learning.restore(*checkpoint.learned);
  for (Checkpoint::Ended& ended : checkpoint.ended) {
    ended.accounted = now();  // from here on they are reported once more
    state.lately_ended.add(std::move(ended));
  }
  for (EndedJob& job : checkpoint.completed) state.ended_jobs.add(std::move(job));
  state.managers.recall_heard(std::move(checkpoint.heard));
  state.resume_charges(std::move(checkpoint.charges), std::move(checkpoint.idle));
}

std::optional<JobMemory> Engine::State::memory_for(const JobReport& report) {
  auto known = recalled.jobs.extract(report.name);
  if (known.empty() || !same_job(known.mapped(), report.job.submitted)) return std::nullopt;
  JobMemory memory = std::move(known.mapped());
  // The report of the resource manager says better now what held it then.
  if (memory.hold_reason.cause == HoldCause::unusable_report ||
      memory.hold_reason.cause == HoldCause::refused) {
    put(memory.holds, Hold::batch, false);
    memory.hold_reason = {};
  }
  return memory;
}

void Engine::State::recall_in_queue(const JobMemory& memory, JobId id) {
  cluster.add_bypass(id, memory.bypass);
  if (memory.promised < kForever || memory.fair_wait < kUnlimited) {
    cluster.run_times.at(id).promised = memory.promised;
    cluster.run_times.at(id).fair_wait = memory.fair_wait;
  }
  if (has(memory.holds, Hold::defer)) deferrals.add(memory.failures.deferred_until, id);
  // As far as anybody knows it has been held all the time.
  if (memory.holds != 0 && memory.seen < now() &&
      settings.throttling.accrual_policy() != QueueTimeAccrual::always) {
    cluster.delay_queue(std::span(&id, 1), now() - memory.seen, now());
    cluster.set_eligible_since(id, now());
  }
  recall_place(memory, id);
  if (!memory.qos.empty()) give_qos(id, cluster.qos.intern(memory.qos));
  if (memory.account.empty()) return;
  cluster.set_account(id, cluster.accounts.intern(memory.account));
  entitle_again(id);
}

void Engine::State::recall_place(const JobMemory& memory, JobId id) {
  if (memory.reserved_on.empty() || !keeps_reservations(settings)) return;
  const Request& request = cluster.request_of(id);
  Reservation kept;
  kept.kind = ReservationKind::job;
  kept.job = id;
  kept.start = memory.reserved;
  kept.nodes = known_of(cluster, memory.reserved_on);
  const bool as_then =  // its nodes are all there, and it asks for no less and no more
      kept.nodes.size() == memory.reserved_on.size() &&
      task_count(kept.nodes) == request.total_tasks() &&
      std::all_of(
          memory.reserved_on.begin(), memory.reserved_on.end(),
          [&](const NamedShare& share) { return share.requirement < request.requirements.size(); });
  if (!as_then) return;
  kept.end = kept.start + cluster.limit_on(request, kept.nodes);
  cluster.add_reservation(std::move(kept));
}

void Engine::State::recall_run(const JobMemory& memory, JobId id, JobReport& report) {
  if (!memory.run) return;
  const Job& was = memory.run->job;
  Job& is = report.job;
  if (is.state == JobState::not_queued) is.state = was.state;
  if (is.state == JobState::idle) {
    // It was started a moment ago and that does not show yet, or it has come back.  How long that
    // has been so counts from then, however often the scheduler begins anew.
    if (!adopt_running(id, {was.state, memory.run->task_list, was.started, was.suspended_time,
                            was.suspended_since, was.stays_suspended}))
      return;
    cluster.set_priority(id, was.priority);
    const Time since = was.state == JobState::starting ? was.started : memory.seen;
    if (is_certain(cluster.job(id)) || now() - since >= settings.jobs.sync_time)
      end_recalled_run(memory, id);
    else
      unexpected.add({id, cluster.job(id).arrival, JobState::idle, since, since});
    return;
  }
  if (is.started < kForever && is.started > memory.seen) return;  // it is another run
  cluster.set_priority(id, was.priority);
  const bool began_since = was.state == JobState::starting && is.started < kForever;
  is.started = began_since ? std::max(is.started, was.started) : was.started;
  // Less than nothing: the clock was set back.
  if (was.suspended_time > is.suspended_time || is.suspended_time == Seconds(0))
    is.suspended_time = was.suspended_time;
  if (is.suspended_since == kForever) is.suspended_since = was.suspended_since;
  if (was.state == JobState::suspended) is.stays_suspended = was.stays_suspended;
  if (report.task_list.empty()) report.task_list = memory.run->task_list;
}

void Engine::State::end_recalled_run(const JobMemory& memory, JobId id) {
  const Job& job = cluster.job(id);
  if (job.state == JobState::starting) return undo_start(id);
  const Time until = job.suspended() ? job.suspended_since
                                     : std::max(memory.seen, job.started + job.suspended_time);
  settle_allocation(job, until - job.started - job.suspended_time, until, false);
  fairshare.settle(cluster, settings.fairshare, id, until);
  statistics.account_lost_run(cluster, id, until);
  cluster.requeue_job(id, now());
}

void Engine::State::recall_lost_runs() {
  std::vector<JobMemory> gone;
  for (const auto& [name, memory] : recalled.jobs) {
    if (!memory.run) continue;
    const auto& manager = memory.run->job.resource_manager;
    if (!managers.silent(manager)) gone.push_back(memory);
  }
  std::sort(gone.begin(), gone.end(),
            [](const JobMemory& a, const JobMemory& b) { return a.name < b.name; });
  for (JobMemory& memory : gone) {
    log(1, "fRM", [&] {
      return fmt::format("job '{}' ran when the checkpoint was written, and is not reported",
                         memory.name);
    });
    JobReport report = *memory.run;
    submit(report, classes_in_use(cluster));
    const JobId id = cluster.find_job(memory.name);
    lost.add({id, cluster.job(id).arrival, JobState::not_queued, now(), memory.seen});
  }
}

void Engine::State::remember_end(const Job& job) {
  lately_ended.add({now(), job.name, job.submitted, job.resource_manager});
}

bool Engine::State::was_accounted(const PastJob& past) const {
  const std::string& manager = past.report.job.resource_manager;
  const auto heard = managers.heard(manager.empty() ? std::string(rm->name()) : manager);
  if (!heard || past.end.when <= *heard - kClocks) return true;
  return lately_ended.holds(past.report.name, past.report.job.submitted);
}

void Engine::State::account_past(const PastJob& past) {
  const std::string& name = past.report.name;
  if (cluster.find_job(name).valid()) return;
  const auto known = recalled.jobs.find(name);
  const bool remembers =
      known != recalled.jobs.end() && same_job(known->second, past.report.job.submitted);
  // One that came back into the queue and was removed there has no run in its record.
  const bool run_reported = past.report.job.started < kForever || !past.report.task_list.empty();
  const bool ran_then =
      remembers && known->second.run && (run_reported || past.end.state == JobState::completed);
  if (!remembers && was_accounted(past)) return;
  JobReport report = past.report;
  if (ran_then && report.task_list.empty()) report.task_list = known->second.run->task_list;
  if (!report.problem.empty()) {
    if (!ran_then) return;
    report = *known->second.run;
  }
  const bool placed = ran_then || (report.job.started < kForever && !report.task_list.empty());
  report.job.state = placed ? JobState::running : JobState::idle;
  if (remembers && !placed) known->second.run.reset();
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
  if (placed && !remembers)
    resolve_split(cluster.job(id), {JobState::running, past.report.task_list});
  const Time started = cluster.job(id).started;
  std::erase(no_queue, id);
  end(id, past.end.state, started < kForever ? std::max(started, past.end.when) : past.end.when,
      past.end.exit_code);
}

void Engine::State::recall_reservations() {
  std::erase_if(recalled.reservations, [this](const ReservationMemory& memory) {
    if (is_over(memory.terms)) {  // its end comes late
      triggers.ended(settings, memory.terms, now());
      return true;
    }
    Reservation wanted = memory.terms;
    wanted.nodes = known_of(cluster, memory.shares);
    if (wanted.nodes.empty()) return false;
    const bool whole = wanted.nodes.size() == memory.shares.size();
    if (!whole)
      log(1, "fSCHED", [&] {
        return fmt::format("WARNING: reservation '{}': {} of its {} nodes are not known yet",
                           wanted.name, memory.shares.size() - wanted.nodes.size(),
                           memory.shares.size());
      });
    next_expiry = std::min(next_expiry, wanted.end);
    auto known = cluster.find_reservation(wanted.name);
    if (known.valid())
      cluster.change_reservation(known, std::move(wanted));
    else
      known = cluster.add_reservation(std::move(wanted));
    triggers.recall(cluster.reservation(known), memory.life);
    return whole;
  });
}

/// The time in which no scheduler ran.
void Engine::State::account_gap() {
  auto& since = recalled.unaccounted_since;
  if (!since) return;
  statistics.account_interval(cluster, now() - *since);
  since.reset();
  account_reservations(now());
}

}  // namespace maui
