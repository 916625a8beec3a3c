#include "engine/actions/plan_execution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/actions/bypasses.h"
#include "engine/actions/holds.h"
#include "engine/actions/kept_requests.h"
#include "engine/actions/launches.h"
#include "engine/actions/preemptions.h"
#include "engine/actions/reservations.h"
#include "engine/knowledge.h"
#include "engine/reports/entitlements.h"
#include "engine/tools.h"
#include "model/placement.h"
#include "model/sharing.h"
#include "sched/placement/feasibility.h"
#include "sched/rules/partition_policies.h"

namespace maui {
namespace {

bool room_for(const Cluster& cluster, const StartJob& start) {
  const Request& request = cluster.request_of(start.job);
  const UserId user = cluster.job(start.job).credentials.user;
  return std::all_of(start.placement.begin(), start.placement.end(), [&](const NodeTasks& share) {
    const Occupancy& here = cluster.occupancy(share.node);
    const auto access = access_on(cluster.node(share.node).policy.access, request.access);
    return may_join(here, access, user) &&
           here.free.tasks_of(request.requirements[share.requirement].per_task) >= share.tasks;
  });
}

}  // namespace

PlanExecution::PlanExecution(const EngineTools& tools, Holds& holds, Reservations& reservations,
                             Entitlements& entitlements, KeptRequests& requests, Launches& launches,
                             Preemptions& preemptions)
    : tools_(tools),
      holds_(holds),
      reservations_(reservations),
      entitlements_(entitlements),
      requests_(requests),
      launches_(launches),
      preemptions_(preemptions),
      unanswered_(tools.known.requests),
      cluster_(tools.known.cluster),
      settings_(tools.known.settings),
      plan_(tools.known.plan),
      learning_(tools.known.learning),
      preemptors_(tools.known.preemptors),
      last_activity_(tools.known.last_activity) {}

void PlanExecution::carry_out(std::function<void()> finished) {
  done_ = std::move(finished);
  answers_due_ = 1;
  progress_.begin();
  fundings_.clear();
  logged_before_ = std::exchange(logged_only_, {});
  preemptors_.drop_running(cluster_);
  go_on();
  answered();
}

void PlanExecution::answered() {
  if (--answers_due_ > 0) return;
  launches_.lift_unused_liens();
  // The callback may carry out the next plan.
  std::exchange(done_, nullptr)();
}

void PlanExecution::go_on() {
  going_on_ = true;
  do go_on_to_answers();
  while (progress_.can_go_on(plan_));  // answers came at once
  going_on_ = false;
  if (progress_.done(plan_)) count_bypasses(plan_, cluster_);
}

/// Carries out decisions until the next one has to wait for answers.
void PlanExecution::go_on_to_answers() {
  requests_.gather();
  while (const Decision* decision = progress_.take(plan_)) {
    if (settings_.server.mode == ServerMode::test && only_logged(*decision)) continue;
    if (!std::holds_alternative<ReserveJob>(*decision) &&
        !std::holds_alternative<DropReservation>(*decision))
      last_activity_ = tools_.now();
    std::visit(
        [this](const auto& action) {
          if constexpr (requires { reservations_.carry_out(action); })
            reservations_.carry_out(action);
          else
            carry_out(action);
        },
        *decision);
  }
  requests_.ask_gathered();
}

/// SERVERMODE TEST: logs decisions instead of sending them to the resource manager, once for as
/// long as they stay in the plan.
bool PlanExecution::only_logged(const Decision& decision) {
  const auto say = [&](JobId job, std::string_view what) {
    auto text = fmt::format("TEST: job '{}' would be {}", cluster_.job(job).name, what);
    if (!logged_before_.contains(text)) tools_.log_of_job(job, 0, "fSCHED", [&] { return text; });
    logged_only_.insert(std::move(text));
    return true;
  };
  if (const auto* start = std::get_if<StartJob>(&decision)) return say(start->job, "started");
  if (const auto* victim = std::get_if<PreemptJob>(&decision)) return say(victim->job, "preempted");
  if (const auto* suspended = std::get_if<ResumeJob>(&decision))
    return say(suspended->job, "resumed");
  return false;
}

void PlanExecution::carry_out(const StartJob& start) {
  const JobId id = start.job;
  // The jobs that had to leave these nodes may still be there.
  if (progress_.any_refused() && (!room_for(cluster_, start) || progress_.refused(id))) return;
  const Job& job = cluster_.job(id);
  if (unanswered_.keep_from_start(job) || preemptors_.rests(job, tools_.now())) return;
  give_shape(start);
  const bool reserved = job.reservation.valid();
  cluster_.set_priority(id, start.priority);
  cluster_.start_job(id, start.placement, tools_.now(), start.backfilled);
  learning_.started(cluster_, settings_, id);
  if (tools_.rm.reports_job_starts()) cluster_.set_starting(id);
  ++answers_due_;
  launches_.launch(id, reserved, [this](Status) { answered(); });
}

void PlanExecution::give_shape(const StartJob& start) {
  const Job& job = cluster_.job(start.job);
  if (job.alternatives.empty()) return;
  if (Request shaped = started_request(cluster_, start); shaped != cluster_.request(job.request))
    entitlements_.set_request(start.job, std::move(shaped));
}

void PlanExecution::carry_out(const HoldJob& hold) {
  if (hold.hold == Hold::defer)
    holds_.defer(hold.job, hold.reason);
  else
    holds_.place(hold.job, hold.hold, hold.reason);
}

void PlanExecution::carry_out(const PreemptJob& victim) {
  const Job& job = cluster_.job(victim.job);
  if (!job.active()) return;
  ++answers_due_;
  progress_.preemption_asked();
  when_funded(victim.preemptor, [this, victim, run = job.run_key()](bool funded) {
    if (funded && cluster_.is_latest(run) && cluster_.job(run.job).active())
      preempt(victim);
    else
      preemption_answered();
  });
}

/// Calls `then` once it is known whether the preemptor can pay: at once or later.
void PlanExecution::when_funded(JobId preemptor, std::function<void(bool)> then) {
  const StartJob* start = preemptor.valid() ? progress_.start_of(plan_, preemptor) : nullptr;
  if (start == nullptr) return then(true);
  const auto [known, fresh] = fundings_.try_emplace(preemptor);
  Funding& funding = known->second;
  if (funding.granted) return then(*funding.granted);
  funding.waiting.push_back(std::move(then));
  if (!fresh) return;
  give_shape(*start);
  launches_.fund_preemptor(preemptor, start->placement, [this, preemptor](const Status& status) {
    // A change may have ended the plan meanwhile.
    const bool granted = status && progress_.start_of(plan_, preemptor) != nullptr;
    if (!granted) progress_.note_refused(preemptor);
    Funding& answered = fundings_.at(preemptor);
    answered.granted = granted;
    for (const auto& next : std::exchange(answered.waiting, {})) next(granted);
  });
}

void PlanExecution::preempt(const PreemptJob& victim) {
  std::string by;
  if (victim.preemptor.valid()) {
    by = cluster_.job(victim.preemptor).name;
    preemptors_.add(cluster_.job(victim.preemptor), tools_.known.iteration, tools_.now());
  }
  preemptions_.preempt(victim.job, victim.how, {.or_requeue = true, .reason = {.preemptor = by}},
                       [this, preemptor = victim.preemptor,
                        label = tools_.label(cluster_.job(victim.job))](Status status) {
                         if (!status) {
                           progress_.note_refused(preemptor);
                           tools_.log_refusal("preempt job", label, status.error());
                         }
                         preemption_answered();
                       });
}

void PlanExecution::preemption_answered() {
  if (progress_.preemption_answered() && !going_on_) go_on();
  answered();
}

void PlanExecution::carry_out(const ResumeJob& suspended) {
  const Job& job = cluster_.job(suspended.job);
  if (!job.suspended()) return;
  ++answers_due_;
  preemptions_.resume(suspended.job, /*by_command=*/false, [this](Status) { answered(); });
}

}  // namespace maui
