// All parts of an engine: its knowledge, its tools, and its components, each after those it calls.
//
// The iteration comes last, since it calls most of the others; the engine's commands and trials
// call the component concerned.  The directories: `reports` has what resource managers report;
// `actions`, what the scheduler does with jobs and reservations; `accounts`, the use that is
// counted, charged and recorded; `checkpoint`, what is written and restored.
#pragma once
#include <memory>

#include "engine/accounts/allocations.h"
#include "engine/accounts/given_back_runs.h"
#include "engine/accounts/job_ends.h"
#include "engine/accounts/statistics.h"
#include "engine/actions/failed_starts.h"
#include "engine/actions/holds.h"
#include "engine/actions/job_limits.h"
#include "engine/actions/kept_requests.h"
#include "engine/actions/lasting_requests.h"
#include "engine/actions/launches.h"
#include "engine/actions/plan_execution.h"
#include "engine/actions/preemptions.h"
#include "engine/actions/reservations.h"
#include "engine/actions/site_policies.h"
#include "engine/checkpoint/missed_ends.h"
#include "engine/checkpoint/restored_jobs.h"
#include "engine/checkpoint/restored_reservations.h"
#include "engine/engine_observer.h"
#include "engine/iteration.h"
#include "engine/knowledge.h"
#include "engine/planner.h"
#include "engine/planning.h"
#include "engine/reports/arrivals.h"
#include "engine/reports/entitlements.h"
#include "engine/reports/job_changes.h"
#include "engine/reports/job_doubts.h"
#include "engine/reports/job_statuses.h"
#include "engine/reports/manager_answers.h"
#include "engine/reports/reported_nodes.h"
#include "engine/reports/reported_reservations.h"
#include "engine/reports/reports.h"
#include "engine/reports/running_jobs.h"
#include "engine/tools.h"
#include "maui/clock.h"
#include "maui/node_selector.h"
#include "maui/resource_manager.h"

namespace maui {

struct EngineParts {
  EngineParts(EngineKnowledge knowledge, std::unique_ptr<ResourceManager> manager, Clock& clock,
              EngineObserver& observer, Planner planner = {}, NodeSelector* selector = nullptr);

  EngineKnowledge known;
  std::shared_ptr<const void> world;  // of a trial: its clock and observer
  std::unique_ptr<ResourceManager> rm;
  const EngineTools tools;

  Holds holds;
  Reservations reservations;
  Entitlements entitlements;
  Allocations allocations;
  GivenBackRuns given_back_runs;
  FailedStarts failed_starts;
  KeptRequests requests;
  Launches launches;
  JobEnds job_ends;
  Preemptions preemptions;
  LastingRequests lasting_requests;
  /// The number of users' commands that resource managers have not answered yet.
  std::shared_ptr<int> unanswered_commands = std::make_shared<int>(0);
  JobLimits job_limits;
  SitePolicies site_policies;

  ReportedNodes reported_nodes;
  ReportedReservations reported_reservations;
  JobDoubts job_doubts;
  RunningJobs running_jobs;
  JobChanges job_changes;
  JobStatuses job_statuses;
  ManagerAnswers manager_answers;
  RestoredJobs restored_jobs;
  RestoredReservations restored_reservations;
  Arrivals arrivals;
  MissedEnds missed_ends;
  Reports reports;

  Planning planning;
  PlanExecution execution;
  Iteration iteration;

  Statistics shown;  // to date, for queries
};

}  // namespace maui
