#include "sched/selection.h"

#include <algorithm>

#include "sched/cycle_state.h"
#include "sched/placement/completion_date.h"
#include "sched/placement/feasibility.h"
#include "sched/placement/lack.h"
#include "sched/priority/priority.h"
#include "sched/victim_kind.h"

namespace maui {
namespace {

// JOBPRIOACCRUALPOLICY: the queue time of jobs that are not considered stands still.
void stall_unconsidered(CycleState& state, const std::vector<Throttling::Blocked>& blocked) {
  const auto policy = state.settings().throttling.accrual_policy();
  if (policy == QueueTimeAccrual::always) return;
  const auto& cluster = state.cluster();
  auto& plan = state.plan();
  if (plan.order.size() == cluster.waiting().size()) return;
  std::vector<char> accrues(cluster.job_slots(), 0);
  for (const auto& ranked : plan.order) accrues[ranked.job.index()] = 1;
  if (policy == QueueTimeAccrual::queue_policy)
    for (const auto& blocked_job : blocked)
      accrues[blocked_job.job.index()] = !blocked_job.why.idle && !blocked_job.why.single_job;
  // Time must be able to raise a priority for which a job is rejected.
  const auto rejected = [&](JobId id) {
    return state.settings().priority.reject_negative &&
           why_not_considered(cluster, state.settings(), state.now(), id) ==
               Reason::negative_priority;
  };
  for (const auto& line : cluster.waiting())
    if (accrues[line.job.index()] == 0 && !rejected(line.job)) plan.stalled.push_back(line.job);
}

// Holds infeasible jobs at once, wherever they are in the queue, so that nothing is kept for
// them.
void hold_infeasible(CycleState& state) {
  const auto& cluster = state.cluster();
  auto& plan = state.plan();
  state.feasible().look_at(cluster);
  HoldReason reason;
  RequestId explained;  // by the reason; of many such jobs, most have the same request
  for (const JobId id : state.feasible().leave_out(cluster, plan.order)) {
    state.give_up(id);
    if (const RequestId request = cluster.job(id).request; request != explained) {
      reason = no_resources(cluster, cluster.request(request));
      explained = request;
    }
    plan.decisions.push_back(HoldJob{id, Hold::defer, reason});
  }
}

// Holds jobs that can no longer end by their completion dates.
void hold_too_late(CycleState& state) {
  const auto& cluster = state.cluster();
  if (cluster.counts().special_waiting == 0) return;
  for (const auto& line : cluster.waiting()) {
    if (!line.special || line.held || !too_late(cluster, cluster.job(line.job), state.now()))
      continue;
    state.give_up(line.job);
    state.plan().decisions.push_back(
        HoldJob{line.job, Hold::batch, {passes_completion_date(cluster, cluster.job(line.job))}});
  }
}

// Releases due reservations of jobs that are not considered: no other job waits for these jobs.
void release_absent(CycleState& state) {
  const auto& cluster = state.cluster();
  if (!keeps_reservations(state.settings())) return;
  std::vector<JobId> due;
  for (const auto id : cluster.reservations())
    if (const auto& reservation = cluster.reservation(id);
        reservation.kind == ReservationKind::job && reservation.start <= state.now())
      due.push_back(reservation.job);
  if (due.empty()) return;
  std::sort(due.begin(), due.end());
  for (const auto& considered : state.plan().order) {
    if (!considered.reserved) continue;
    const auto at = std::lower_bound(due.begin(), due.end(), considered.job);
    if (at != due.end() && *at == considered.job) due.erase(at);
  }
  for (const JobId id : due) state.give_up(id);
}

std::vector<Plan::Ranked> ranked(const Cluster& cluster, const Settings& settings, Time now,
                                 FeasibleRequests& feasible) {
  std::vector<Plan::Ranked> order;
  prioritise(cluster, settings, now, order);
  feasible.leave_out(cluster, order);
  return order;
}

/// Puts these jobs back into the order, which limits have kept out of it; `all` has all jobs.
void put_in(const std::vector<JobId>& let_in, const std::vector<Plan::Ranked>& all,
            std::vector<Plan::Ranked>& order) {
  std::vector<Plan::Ranked> with;
  auto next = order.begin();
  for (const auto& ranked : all) {
    const bool considered = next != order.end() && next->job == ranked.job;
    if (considered) ++next;
    if (considered || std::find(let_in.begin(), let_in.end(), ranked.job) != let_in.end())
      with.push_back(ranked);
  }
  order = std::move(with);
}

}  // namespace

std::vector<JobId> preemptors_to_let_in(CycleState& state) {
  const auto& cluster = state.cluster();
  const auto& plan = state.plan();
  const auto waiting = cluster.waiting();
  if (!state.throttling().any() || plan.starts == 0 || plan.order.size() == waiting.size() ||
      !some_may_preempt(cluster, state.settings(), state.flags()))
    return {};
  std::vector<char> in_plan(cluster.job_slots(), 0), starts(cluster.job_slots(), 0);
  for (std::size_t rank = 0; rank < state.jobs(); ++rank) {
    in_plan[plan.order[rank].job.index()] = 1;
    starts[plan.order[rank].job.index()] = plan.reasons[rank] == Reason::none ? 1 : 0;
  }
  const bool heads = preempts_backfilled(state.settings());
  const auto kept_out = [&](JobId id) {
    return in_plan[id.index()] == 0 &&
           (heads || preemptible_by(state.flags(), cluster.job(id)) != 0);
  };
  if (std::none_of(waiting.begin(), waiting.end(),
                   [&](const Waiting& line) { return !line.held && kept_out(line.job); }))
    return {};
  auto order = ranked(cluster, state.settings(), state.now(), state.feasible());
  std::erase_if(order, [&](const Plan::Ranked& one) { return starts[one.job.index()] != 0; });
  state.throttling().select(order, Strictness::hard);
  std::vector<JobId> let_in;
  for (const auto& one : order)
    if (kept_out(one.job)) let_in.push_back(one.job);
  return let_in;
}

void select_jobs(CycleState& state, const std::vector<JobId>& let_in) {
  auto& plan = state.plan();
  prioritise(state.cluster(), state.settings(), state.now(), plan.order);
  hold_too_late(state);
  hold_infeasible(state);
  std::vector<Throttling::Blocked> blocked;
  const bool asked = state.throttling().single_job_matters() ||
                     state.settings().throttling.accrual_policy() != QueueTimeAccrual::always;
  const auto all = let_in.empty() ? std::vector<Plan::Ranked>() : plan.order;
  state.throttling().select(plan.order, Strictness::hard, asked ? &blocked : nullptr);
  if (!let_in.empty()) put_in(let_in, all, plan.order);
  plan.reasons.assign(plan.order.size(), Reason::not_reached);
  release_absent(state);
  stall_unconsidered(state, blocked);
  for (const auto& [job, why] : blocked)
    if (why.single_job)
      plan.decisions.push_back(
          HoldJob{job, Hold::batch, {"SystemLimits: the job " + describe(state.cluster(), why)}});
}

void stall_limited_jobs(CycleState& state) {
  if (state.settings().throttling.accrual_policy() != QueueTimeAccrual::full_policy) return;
  auto& plan = state.plan();
  for (std::size_t rank = 0; rank < state.jobs(); ++rank)
    if (state.reason(rank) != Reason::none && state.limits_hold_back(rank, Strictness::hard))
      plan.stalled.push_back(plan.order[rank].job);
}

std::vector<Plan::Ranked> considered(const Cluster& cluster, const Settings& settings, Time now,
                                     Strictness level, FeasibleRequests& feasible,
                                     std::vector<Throttling::Blocked>* blocked) {
  auto order = ranked(cluster, settings, now, feasible);
  Throttling(cluster, settings, now).select(order, level, blocked);
  return order;
}

std::optional<Violation> limit_on(const Cluster& cluster, const Settings& settings, Time now,
                                  JobId id, Strictness level) {
  Throttling throttling(cluster, settings, now);
  if (!throttling.any() || level == Strictness::off) return std::nullopt;
  if (!throttling.idle_matters()) {
    const auto& job = cluster.job(id);
    if (auto too_much = throttling.asks_too_much(job)) return too_much;
    return throttling.violated(job, level);
  }
  FeasibleRequests feasible;
  auto order = ranked(cluster, settings, now, feasible);
  std::vector<Throttling::Blocked> blocked;
  throttling.select(order, level, &blocked);
  for (const auto& blocked_job : blocked)
    if (blocked_job.job == id) return blocked_job.why;
  return std::nullopt;
}

}  // namespace maui
