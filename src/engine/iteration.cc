// One iteration (guide 3.3.1): poll, apply, decide, carry out, account.
//
// Answers of the resource manager may come at once or later.  The iteration is
// done when the poll and every start have been answered.
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <functional>
#include <memory>

#include "base/date.h"
#include "engine/state.h"
#include "engine/unused_names.h"
#include "sched/placement/feasible_requests.h"
#include "sched/priority/fairshare.h"

namespace maui {
namespace {

/// Takes the time since the last plan off the queue times of jobs that it let accrue nothing
/// (JOBPRIOACCRUALPOLICY).
void stall_queue_times(EngineKnowledge& known, Time now) {
  const Seconds passed = now - std::exchange(known.queue_times_as_of, now);
  if (known.plan.stalled.empty() || passed <= Seconds(0)) return;
  known.cluster.delay_queue(known.plan.stalled, passed, now);
  for (const JobId id : known.plan.stalled)
    if (known.cluster.job(id).waiting()) known.cluster.set_eligible_since(id, now);
}

}  // namespace
void Engine::State::iterate(std::function<void()> when_done) {
  assert(!iterating);
  iterating = true;
  done = std::move(when_done);
  allocations.retry();
  allocations.account_reservations(now());
  if (now() > accounted) {
    statistics.account_interval(cluster, now() - accounted);
    accounted = now();
  }
  rm_record.asked = now();
  log(4, "fCORE", [&] {
    return fmt::format("iteration {} begins: {} nodes, {} active and {} waiting jobs",
                       iteration + 1, cluster.nodes().size(), cluster.active().size(),
                       cluster.waiting().size());
  });
  journal.step("resource managers are polled");
  observer.begins(Phase::poll);
  managers.poll_begins();
  rm->poll(cluster, now(), [this](Result<Update> update) { take_in(std::move(update)); });
}

void Engine::State::take_in(Result<Update> update) {
  observer.begins(Phase::apply);
  stall_queue_times(*this, now());
  if (update) {
    rm_record.poll_answered(now());
    return intake.take_in(*std::move(update), [this] { judge_reports(); });
  }
  // The known state is old: nothing is decided on it.
  const bool news = rm_record.polls == 0 || rm_record.up;
  rm_record.poll_failed(now(), update.error().what);
  log(0, "fRM", [&] {
    return fmt::format("ERROR: cannot get the state of resource manager '{}': {}", rm->name(),
                       update.error().what);
  });
  account_fairshare();
  if (news) journal.notify(EventType::rm_failure, [&] { return std::vector{update.error().what}; });
  reservations.expire();
  finish();
}

void Engine::State::judge_reports() {
  journal.step("fairshare is brought up to date");
  account_fairshare();
  const bool enforces = enforces_limits();
  journal.step("reports that disagree with what is known are judged");
  if (enforces) job_doubts.resolve_lost();
  job_doubts.resolve_unexpected();
  job_changes.take_put_off();
  if (!enforces) return consult_and_decide(enforces);
  reported_nodes.resolve_lost([this, enforces] { consult_and_decide(enforces); });
}

/// Each of these may take a while on a large machine.
void Engine::State::consult_and_decide(bool enforces) {
  in_slices(
      [this] { return give_up_unused_names(*this, now()); },
      [this, enforces] { tools.after_others([this, enforces] { judge_and_decide(enforces); }); });
}

void Engine::State::judge_and_decide(bool enforces) {
  reported_nodes.judge();
  journal.step("limits of active jobs are enforced");
  job_limits.enforce(enforces);
  journal.step("deferrals and reservations that are over end");
  holds.release_deferred();
  reservations.expire();
  tools.after_others([this] { plan_and_carry_out(); });
}

void Engine::State::plan_and_carry_out() {
  site_policies.consult([this] {
    planning.decide([this] {
      journal.step("the plan is carried out");
      observer.begins(Phase::carry_out);
      execution.carry_out([this] { finish(); });
    });
  });
}

void Engine::State::account_fairshare() {
  fairshare.accrue(cluster, settings.fairshare, now(),
                   [this](const FairshareWindow& window, bool over) {
                     log(over ? 4 : 7, "fFS", [&] {
                       return fmt::format("the fairshare window that began {} {}",
                                          format_date(window.start, true),
                                          over ? "is over" : "has been charged");
                     });
                     observer.fairshare_changed(cluster, fairshare.history(), window, over);
                   });
  const bool used = settings.fairshare.metric != FairshareMetric::none;
  cluster.fairshare_use =
      used ? effective_use(fairshare.history(), settings.fairshare, now()) : FairshareUse{};
}

void Engine::State::finish() {
  arrivals.refuse_unstarted();
  note_jobs();
  ++iteration;
  statistics.account_iteration(cluster, iteration);
  journal.rejections(now());
  journal.outcome();
  if (stop.at_iteration && iteration >= *stop.at_iteration) {
    stop.stopped = true;
    stop.at_iteration.reset();
  }
  iterating = false;
  planning.feasible().look_at(cluster);
  observer.iteration_ended();
  // The caller may begin the next iteration from within.
  if (const auto finished = std::exchange(done, nullptr)) finished();
}

}  // namespace maui
