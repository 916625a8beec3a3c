// Carries a plan out, decision by decision, in its order.
//
// A job is started in the cluster first, so that whatever follows sees its
// resources taken; if the resource manager then refuses, it goes back into the
// queue with the reason.  What stands behind preemptions waits until they have
// been answered.
#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "engine/actions/bypasses.h"
#include "engine/state.h"
#include "model/placement.h"
#include "sched/priority/priority.h"

namespace maui {
namespace {

// A job that is to leave its nodes may need its time, such as the half minute of Slurm's KillWait.
// Until then a refusal to start whoever is to have them says nothing of that job.
constexpr Seconds kLeaving{60};

bool room_for(const Cluster& cluster, const StartJob& start) {
  const Request& request = cluster.request_of(start.job);
  return std::all_of(start.placement.begin(), start.placement.end(), [&](const NodeTasks& share) {
    const Occupancy& here = cluster.occupancy(share.node);
    const auto access = cluster.node(share.node).policy.access.value_or(request.access);
    const bool alone = access == NodeAccess::dedicated || access == NodeAccess::single_task;
    return !here.exclusive() && (!alone || here.occupants.empty()) &&
           here.free.tasks_of(request.requirements[share.requirement].per_task) >= share.tasks;
  });
}

/// Jobs keep the priority that they start with.
void keep_priorities(EngineKnowledge& known, Time now) {
  std::vector<JobId> starting;
  for (const Decision& decision : known.plan.decisions)
    if (const auto* start = std::get_if<StartJob>(&decision)) starting.push_back(start->job);
  const auto priorities = priorities_of(known.cluster, known.settings, now, starting);
  for (std::size_t i = 0; i < starting.size(); ++i)
    known.cluster.set_priority(starting[i], priorities[i]);
}

}  // namespace

void Engine::State::carry_out() {
  progress.begin();
  logged_before = std::exchange(logged_only, {});
  keep_priorities(*this, now());
  carry_on();
}

void Engine::State::carry_on() {
  carrying_out = true;
  while (const Decision* decision = progress.take(plan)) {
    if (settings.server.mode == ServerMode::test && only_logged(*decision)) continue;
    if (!std::holds_alternative<ReserveJob>(*decision) &&
        !std::holds_alternative<DropReservation>(*decision))
      last_activity = now();
    std::visit(
        [this](const auto& action) {
          if constexpr (requires { reservations.carry_out(action); })
            reservations.carry_out(action);
          else
            carry_out(action);
        },
        *decision);
  }
  carrying_out = false;
  if (!progress.done(plan)) return;
  count_bypasses(plan, cluster);
}

/// SERVERMODE TEST: what would be asked of the resource manager is said in the log instead, once
/// for as long as it would be.
bool Engine::State::only_logged(const Decision& decision) {
  const auto say = [&](JobId job, std::string_view what) {
    auto text = fmt::format("TEST: job '{}' would be {}", cluster.job(job).name, what);
    if (!logged_before.contains(text)) log(0, "fSCHED", [&] { return text; });
    logged_only.insert(std::move(text));
    return true;
  };
  if (const auto* start = std::get_if<StartJob>(&decision)) return say(start->job, "started");
  if (const auto* victim = std::get_if<PreemptJob>(&decision)) return say(victim->job, "preempted");
  if (const auto* suspended = std::get_if<ResumeJob>(&decision))
    return say(suspended->job, "resumed");
  return false;
}

void Engine::State::carry_out(const StartJob& start) {
  const JobId id = start.job;
  // The jobs that were to leave its nodes may still be there.
  if (progress.any_refused() && (!room_for(cluster, start) || progress.refused(id))) return;
  const Job& job = cluster.job(id);
  const std::pair this_job(id, job.arrival);
  if (std::find(cancelling.begin(), cancelling.end(), this_job) != cancelling.end()) return;
  if (!job.alternatives.empty()) {
    const auto& [tasks, limit] = job.alternatives[start.alternative];
    Request shape = cluster.request(job.request);
    shape.requirements.front().tasks = tasks;
    shape.limit = limit;
    if (shape != cluster.request(job.request)) entitlements.set_request(id, std::move(shape));
  }
  const bool reserved = job.reservation.valid();
  cluster.start_job(id, start.placement, now(), start.backfilled);
  learning.started(cluster, settings, id);
  if (rm->reports_job_starts()) cluster.set_starting(id);
  ++answers_due;
  launches.launch(id, reserved, [this](Status) { answered(); });
}

void Engine::State::carry_out(const HoldJob& hold) {
  if (hold.hold == Hold::defer)
    holds.defer(hold.job, hold.reason);
  else
    holds.place(hold.job, hold.hold, hold.reason);
}

void Engine::State::carry_out(const PreemptJob& victim) {
  const Job& job = cluster.job(victim.job);
  if (!job.active()) return;
  ++answers_due;
  progress.preemption_asked();
  if (victim.preemptor.valid())
    failed_starts.keep_turn(victim.preemptor,
                            now() + std::max(kLeaving, settings.reservation_retry));
  preemptions.preempt(victim.job, victim.how,
                      [this, preemptor = victim.preemptor, name = job.name](Status status) {
                        if (!status) {
                          progress.note_refused(preemptor);
                          log_refusal("preempt job", name, status.error().what);
                        }
                        if (progress.preemption_answered() && !carrying_out) carry_on();
                        answered();
                      });
}

void Engine::State::carry_out(const ResumeJob& suspended) {
  const Job& job = cluster.job(suspended.job);
  if (!job.suspended()) return;
  ++answers_due;
  preemptions.resume(suspended.job, [this](Status) { answered(); });
}

}  // namespace maui
