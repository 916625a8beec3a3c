#include "engine/parts.h"

#include <utility>

namespace maui {

EngineParts::EngineParts(EngineKnowledge knowledge, std::unique_ptr<ResourceManager> manager,
                         Clock& clock, EngineObserver& observer, Planner planner,
                         NodeSelector* selector)
    : known(std::move(knowledge)),
      rm(std::move(manager)),
      tools(known, *rm, clock, observer),
      holds(tools),
      reservations(tools),
      entitlements(tools),
      allocations(tools),
      given_back_runs(tools, entitlements, allocations),
      failed_starts(tools, holds, entitlements, allocations),
      requests(tools),
      launches(tools, holds, entitlements, allocations, failed_starts, requests),
      job_ends(tools, reservations, entitlements, allocations),
      preemptions(tools, given_back_runs, requests),
      lasting_requests(tools, entitlements, requests, job_ends, preemptions),
      job_limits(tools, holds, requests, preemptions, lasting_requests),
      site_policies(tools),
      reported_nodes(tools),
      reported_reservations(tools, reservations),
      job_doubts(tools, holds, given_back_runs, failed_starts, launches, job_ends, preemptions),
      running_jobs(tools, reported_nodes, job_doubts),
      job_changes(tools, holds, entitlements),
      job_statuses(tools, failed_starts, job_ends, job_limits, job_doubts, running_jobs),
      manager_answers(tools, job_ends),
      restored_jobs(tools, holds, entitlements, given_back_runs, failed_starts, job_doubts,
                    running_jobs),
      restored_reservations(tools, reservations, allocations),
      arrivals(tools, holds, job_ends, job_doubts, running_jobs, restored_jobs, job_changes),
      missed_ends(tools, job_ends, job_doubts, running_jobs, arrivals),
      reports(tools, entitlements, allocations, site_policies, reported_nodes,
              reported_reservations, job_doubts, job_changes, job_statuses, manager_answers,
              restored_reservations, arrivals, missed_ends),
      planning(tools, reservations, entitlements, std::move(planner), selector),
      execution(tools, holds, reservations, entitlements, requests, launches, preemptions),
      iteration(tools, holds, reservations, allocations, lasting_requests, launches, job_limits,
                site_policies, reported_nodes, job_doubts, job_changes, arrivals, reports, planning,
                execution) {
  known.dependencies.hold_by(
      [this](JobId job, const HoldReason& why) { holds.place(job, Hold::batch, why); });
}

}  // namespace maui
