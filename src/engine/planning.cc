#include "engine/planning.h"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "base/duration.h"
#include "base/text.h"
#include "engine/actions/reservations.h"
#include "engine/engine_observer.h"
#include "engine/knowledge.h"
#include "engine/reports/entitlements.h"
#include "engine/tools.h"
#include "sched/placement/feasible_requests.h"
#include "sched/promises.h"
#include "sched/waiting_shapes.h"

namespace maui {

namespace {

std::vector<JobId> waiting_with_several_shapes(const Cluster& cluster) {
  std::vector<JobId> jobs;
  if (cluster.counts().special_waiting == 0) return jobs;
  for (const Waiting& line : cluster.waiting())
    if (cluster.has_alternatives(line)) jobs.push_back(line.job);
  return jobs;
}

}  // namespace

Planning::Planning(const EngineTools& tools, Reservations& reservations, Entitlements& entitlements,
                   Planner planner, NodeSelector* selector)
    : tools_(tools),
      reservations_(reservations),
      entitlements_(entitlements),
      feasible_(std::make_shared<FeasibleRequests>()),
      planner_(planner ? std::move(planner) : cycle_planner(selector, feasible_)),
      selector_(selector),
      cluster_(tools.known.cluster),
      settings_(tools.known.settings),
      plan_(tools.known.plan),
      learning_(tools.known.learning),
      priority_bounds_(tools.known.priority_bounds),
      priorities_stale_(tools.known.priorities_stale) {}

void Planning::decide(std::function<void()> next) {
  prepare();
  tools_.known.dependencies.note_plan();
  if (!cluster_.waiting().empty() || !cluster_.suspended().empty())
    return make_plan(tools_.now(), std::move(next));
  if (!plan_.order.empty() || !plan_.decisions.empty() || !plan_.stalled.empty()) plan_ = {};
  priorities_stale_ = false;
  next();
}

void Planning::prepare() {
  tools_.journal.step("refreshing standing reservations");
  tools_.observer.begins(Phase::refresh);
  choose_shapes(waiting_with_several_shapes(cluster_));
  reservations_.refresh();
  tools_.journal.step("planning jobs");
  tools_.observer.begins(Phase::plan);
  learning_.refresh(cluster_, settings_, tools_.now());
}

void Planning::choose_shapes(const std::vector<JobId>& jobs) {
  if (jobs.empty()) return;
  feasible_->look_at(cluster_);
  std::vector<std::pair<JobId, Request>> others;
  WaitingShapes shapes(cluster_, settings_, tools_.now(), *feasible_);
  for (const JobId id : jobs)
    if (auto other = shapes.other_than_now(cluster_.job(id)))
      others.emplace_back(id, *std::move(other));
  for (auto& [other, request] : others) {
    const JobId id = other;  // clang's lambdas capture no names of a structured binding
    entitlements_.set_request(id, std::move(request));
    entitlements_.renew(id);
    tools_.log_of_job(id, 3, "fSCHED", [&] {
      const Request& now = cluster_.request_of(id);
      return fmt::format("job '{}' waits in the first of its shapes that can run: {} for {}",
                         cluster_.job(id).name, counted(now.total_procs(), "proc"),
                         format_duration(now.limit));
    });
  }
}

/// Runs again, as of the same time, for each answer that the selector obtains.
void Planning::make_plan(Time when, std::function<void()> next) {
  plan_ = planned(when);
  priorities_stale_ = !plan_.order.empty();
  if (selector_ != nullptr && selector_->owes())
    return selector_->find_out([this, when, next = std::move(next)] { make_plan(when, next); });
  cluster_.note_reservations_planned(plan_.reservations_earliest);
  if (note_promises(cluster_, plan_)) tools_.observer.checkpoint_outdated();
  learning_.note_shorter(cluster_, plan_, tools_.now());
  if (const auto warning = priority_bounds_.warning(cluster_, settings_, plan_, tools_.now()))
    tools_.log(0, "fSCHED", [&] { return *warning; });
  tools_.journal.priorities();
  next();
}

/// Planning changes nothing, so if memory runs out, nothing has been decided.
Plan Planning::planned(Time when) {
  plan_ = {};  // frees its memory for the next plan
  try {
    return planner_(cluster_, settings_, when);
  } catch (const std::bad_alloc&) {
    tools_.log(0, "fSCHED", [] {
      return "ALERT: memory is short: nothing is planned in this iteration; active jobs continue";
    });
    return {};
  }
}

}  // namespace maui
