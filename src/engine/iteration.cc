#include "engine/iteration.h"

#include <fmt/format.h>

#include <cassert>
#include <utility>
#include <vector>

#include "base/date.h"
#include "base/text.h"
#include "engine/accounts/allocations.h"
#include "engine/actions/holds.h"
#include "engine/actions/job_limits.h"
#include "engine/actions/lasting_requests.h"
#include "engine/actions/launches.h"
#include "engine/actions/notices.h"
#include "engine/actions/plan_execution.h"
#include "engine/actions/reservations.h"
#include "engine/actions/site_policies.h"
#include "engine/clock_step.h"
#include "engine/engine_observer.h"
#include "engine/knowledge.h"
#include "engine/planning.h"
#include "engine/reports/arrivals.h"
#include "engine/reports/job_changes.h"
#include "engine/reports/job_doubts.h"
#include "engine/reports/reported_nodes.h"
#include "engine/reports/reports.h"
#include "engine/tools.h"
#include "engine/unused_names.h"
#include "sched/placement/feasible_requests.h"
#include "sched/priority/fairshare.h"

namespace maui {
namespace {

/// Removes the time since the last plan from the queue times of jobs whose time the plan stalled
/// (JOBPRIOACCRUALPOLICY).
void stall_queue_times(EngineKnowledge& known, Time now) {
  const Seconds passed = now - std::exchange(known.queue_times_as_of, now);
  if (known.plan.stalled.empty() || passed <= Seconds(0)) return;
  known.cluster.delay_queue(known.plan.stalled, passed, now);
  for (const JobId id : known.plan.stalled)
    if (known.cluster.job(id).waiting()) known.cluster.set_eligible_since(id, now);
}

}  // namespace

Iteration::Iteration(const EngineTools& tools, Holds& holds, Reservations& reservations,
                     Allocations& allocations, LastingRequests& lasting_requests,
                     Launches& launches, JobLimits& job_limits, SitePolicies& site_policies,
                     ReportedNodes& nodes, JobDoubts& doubts, JobChanges& job_changes,
                     Arrivals& arrivals, Reports& reports, Planning& planning,
                     PlanExecution& execution)
    : tools_(tools),
      holds_(holds),
      reservations_(reservations),
      allocations_(allocations),
      lasting_requests_(lasting_requests),
      launches_(launches),
      job_limits_(job_limits),
      site_policies_(site_policies),
      nodes_(nodes),
      doubts_(doubts),
      job_changes_(job_changes),
      arrivals_(arrivals),
      reports_(reports),
      planning_(planning),
      execution_(execution),
      cluster_(tools.known.cluster),
      settings_(tools.known.settings),
      rm_record_(tools.known.rm_record),
      statistics_(tools.known.statistics),
      accounted_(tools.known.accounted),
      fairshare_(tools.known.fairshare),
      iteration_(tools.known.iteration),
      stop_(tools.known.stop) {}

void Iteration::run(std::function<void()> done) {
  assert(!under_way_);
  under_way_ = true;
  done_ = std::move(done);
  allocations_.retry();
  account_time();
  rm_record_.asked = tools_.now();
  tools_.journal.log_of(LineCause::report, kIterations, 4, "fCORE", [&] {
    return fmt::format("iteration {} begins: {}, {} active and {}", iteration_ + 1,
                       counted(cluster_.nodes().size(), "node"), cluster_.active().size(),
                       counted(cluster_.waiting().size(), "waiting job"));
  });
  tools_.journal.step("polling resource managers");
  tools_.observer.begins(Phase::poll);
  tools_.known.managers.poll_begins();
  tools_.rm.poll(cluster_, tools_.now(),
                 [this](Result<Update>&& update) { take_in(std::move(update)); });
}

/// Events that an answer reports may have happened until it had come: from here on, that is the
/// time.
void Iteration::catch_up(Time answered) {
  if (answered <= tools_.now()) return;
  tools_.clock.catch_up(answered);
  account_time();
}

void Iteration::account_time() {
  allocations_.account_reservations(tools_.now());
  if (tools_.now() <= accounted_) return;
  statistics_.account_interval(cluster_, tools_.now() - accounted_);
  accounted_ = tools_.now();
}

void Iteration::take_in(Result<Update>&& update) {
  tools_.observer.begins(Phase::apply);
  if (update) catch_up(update->answered);
  stall_queue_times(tools_.known, tools_.now());
  if (!update) return poll_failed(update.error());
  rm_record_.poll_answered(tools_.now());
  reports_.take_in(*std::move(update), [this] { judge_reports(); });
}

/// The known state is outdated, so nothing is decided on it.
void Iteration::poll_failed(const Error& error) {
  const bool news = rm_record_.polls == 0 || rm_record_.up;
  rm_record_.poll_failed(tools_.now(), error.what);
  for (const std::string& manager : tools_.managers()) tools_.known.managers.note_failure(manager);
  if (is_new(error))
    tools_.log(0, "fRM", [&] {
      return fmt::format("ERROR: cannot get the state of resource manager '{}': {}",
                         tools_.rm.name(), error.what);
    });
  account_fairshare();
  if (news) tools_.journal.notify(EventType::rm_failure, [&] { return std::vector{error.what}; });
  reservations_.expire();
  finish();
}

/// False if each resource manager gave the answer of an earlier poll again, because it is not asked
/// for a while after a failure.
bool Iteration::is_new(const Error& error) {
  const auto records = tools_.rm.records();
  Failure failure{0, error.what};
  for (const RmRecord& record : records) failure.polls += record.failed_polls;
  return std::exchange(last_failure_, failure) != failure || records.empty();
}

void Iteration::judge_reports() {
  tools_.journal.step("updating fairshare");
  account_fairshare();
  const bool enforces = enforces_limits(tools_);
  tools_.journal.step("resolving reports that differ from the known state");
  if (!enforces) return judge_waiting(enforces);
  doubts_.resolve_lost([this, enforces] { judge_waiting(enforces); });
}

void Iteration::judge_waiting(bool enforces) {
  doubts_.resolve_unexpected();
  job_changes_.take_for_next_runs();
  arrivals_.judge_dependencies([this, enforces] {
    if (!enforces) return give_up_names(enforces);
    nodes_.resolve_lost([this, enforces] { give_up_names(enforces); });
  });
}

/// Runs in slices, since each step may take long on a large machine.  `enforces`: time limits.
void Iteration::give_up_names(bool enforces) {
  tools_.in_slices(
      [this] { return give_up_unused_names(tools_.known, tools_.now()); },
      [this, enforces] { tools_.after_others([this, enforces] { judge_jobs(enforces); }); });
}

void Iteration::judge_jobs(bool enforces) {
  nodes_.judge();
  lasting_requests_.ask_again();  // perhaps for other limits
  tools_.journal.step("enforcing limits of active jobs");
  job_limits_.enforce(enforces);
  tools_.journal.step("ending expired deferrals and reservations");
  end_what_is_over();
  launches_.look_at_deferred();
  tools_.after_others([this] { decide(); });
}

void Iteration::end_what_is_over() {
  holds_.release_deferred();
  reservations_.expire();
}

void Iteration::decide() {
  site_policies_.consult([this] {
    planning_.decide([this] {
      tools_.journal.step("carrying out the plan");
      tools_.observer.begins(Phase::carry_out);
      execution_.carry_out([this] { finish(); });
    });
  });
}

void Iteration::prepare(bool loads_known) {
  account_fairshare();
  if (loads_known) nodes_.judge();
  end_what_is_over();
  planning_.prepare();
}

void Iteration::account_fairshare() {
  fairshare_.accrue(cluster_, settings_.fairshare, tools_.now(),
                    [this](const FairshareWindow& window, bool over) {
                      tools_.log(over ? 4 : 7, "fFS", [&] {
                        return fmt::format("the fairshare window that began {} {}",
                                           format_date(window.start, true),
                                           over ? "is over" : "has been charged");
                      });
                      tools_.observer.fairshare_changed(cluster_, fairshare_.history(), window,
                                                        over);
                    });
  const bool used = settings_.fairshare.metric != FairshareMetric::none;
  cluster_.fairshare_use =
      used ? effective_use(fairshare_.history(), settings_.fairshare, tools_.now())
           : FairshareUse{};
}

void Iteration::finish() {
  arrivals_.refuse_unstarted();
  send_notices(cluster_, tools_.rm);
  ++iteration_;
  statistics_.account_iteration(cluster_, iteration_);
  tools_.journal.rejections(tools_.now());
  tools_.journal.outcome();
  stop_where_due();
  under_way_ = false;
  planning_.feasible().look_at(cluster_);
  tools_.observer.iteration_ended();
  // The callback may begin the next iteration.
  if (const auto done = std::exchange(done_, nullptr)) done();
}

void Iteration::stop_where_due() {
  if (!stop_.at_iteration || iteration_ < *stop_.at_iteration) return;
  stop_.stopped = true;
  stop_.at_iteration.reset();
}

}  // namespace maui
