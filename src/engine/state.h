// The state of the engine between iterations, shared by its source files.
//
// Functions stand under the file that has them.  At the top: iteration.cc, the course of one
// iteration; commands.cc, what administrators ask for; trial.cc, a copy on which that is tried;
// clock_step.cc, the clock is set; query_updates.cc, values that are written when somebody looks.
// In rooms: reports, what resource managers report; actions, what the scheduler does with jobs and
// reservations; accounts, what is counted, charged and kept of use; checkpoint, what is written and
// restored.
#pragma once
#include <fmt/format.h>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/accounts/allocations.h"
#include "engine/accounts/job_ends.h"
#include "engine/actions/cancellations.h"
#include "engine/actions/failed_starts.h"
#include "engine/actions/holds.h"
#include "engine/actions/job_limits.h"
#include "engine/actions/launches.h"
#include "engine/actions/plan_execution.h"
#include "engine/actions/preemptions.h"
#include "engine/actions/reservations.h"
#include "engine/actions/site_policies.h"
#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/missed_ends.h"
#include "engine/checkpoint/restored_jobs.h"
#include "engine/checkpoint/restored_reservations.h"
#include "engine/engine.h"
#include "engine/journal.h"
#include "engine/knowledge.h"
#include "engine/planning.h"
#include "engine/reports/arrivals.h"
#include "engine/reports/entitlements.h"
#include "engine/reports/job_changes.h"
#include "engine/reports/job_doubts.h"
#include "engine/reports/job_statuses.h"
#include "engine/reports/manager_answers.h"
#include "engine/reports/report.h"
#include "engine/reports/reported_nodes.h"
#include "engine/reports/reported_reservations.h"
#include "engine/reports/reports.h"
#include "engine/reports/running_jobs.h"
#include "engine/tools.h"

namespace maui {

struct Engine::State : EngineKnowledge {
  State(Settings settings, std::unique_ptr<ResourceManager> rm, const Clock& clock,
        EngineObserver& observer, Planner planner, NodeSelector* chooser);
  /// A copy of what is known, in another world.
  State(const EngineKnowledge& known, std::shared_ptr<const void> world,
        std::unique_ptr<ResourceManager> manager, const Clock& clock, EngineObserver& observer);

  Time now() const { return clock.now(); }
  template <class Text>
  void log(int level, std::string_view facility, Text text) const {
    journal.log(level, facility, std::move(text));
  }
  void log_refusal(std::string_view action, std::string_view name, std::string_view why) {
    tools.log_refusal(action, name, why);
  }

  // iteration.cc
  void iterate(std::function<void()> when_done);
  void take_in(Result<Update> update);
  void judge_reports();
  /// `enforces`: limits of time.
  void consult_and_decide(bool enforces);
  void judge_and_decide(bool enforces);
  void plan_and_carry_out();
  void in_slices(std::function<bool()> step, std::function<void()> next) {
    tools.in_slices(std::move(step), std::move(next));
  }
  ResourceManager& asked() { return tools.asked(); }
  void account_fairshare();
  void finish();

  // engine.cc
  Time next_besides_reservations();

  // clock_step.cc
  void clock_stepped(Seconds by);
  void note_step(Seconds by);
  /// Limits of time are enforced: no step of the clock is unconfirmed.
  bool enforces_limits();

  // actions/notices.cc
  void note_jobs();

  // query_updates.cc
  void update_for_queries();

  // The tools of the engine.
  std::shared_ptr<const void> own_world;  // of a trial: its clock and observer
  std::unique_ptr<ResourceManager> rm;
  const Clock& clock;
  EngineObserver& observer;
  const EngineTools tools{*this, *rm, clock, observer};
  const Journal& journal = tools.journal;

  // Work under way, and what it waits for.
  bool iterating = false;
  std::function<void()> done;

  // The parts, each after those that it calls.
  Holds holds{tools};
  Reservations reservations{tools};
  Entitlements entitlements{tools};
  Allocations allocations{tools};
  FailedStarts failed_starts{tools, holds, entitlements, allocations};
  Launches launches{tools, holds, entitlements, allocations, failed_starts};
  JobEnds job_ends{tools, reservations, entitlements, allocations};
  Preemptions preemptions{tools, allocations};
  JobLimits job_limits{tools, preemptions};
  SitePolicies site_policies{tools};
  ReportedNodes reported_nodes{tools};
  ReportedReservations reported_reservations{tools, reservations};
  JobDoubts job_doubts{tools, holds, allocations, failed_starts, launches, job_ends, preemptions};
  RunningJobs running_jobs{tools, reported_nodes, job_doubts};
  JobChanges job_changes{tools, holds, entitlements};
  JobStatuses job_statuses{tools, failed_starts, job_ends, job_limits, job_doubts, running_jobs};
  ManagerAnswers manager_answers{tools, job_ends};
  RestoredJobs restored_jobs{tools,         holds,      entitlements, allocations,
                             failed_starts, job_doubts, running_jobs};
  RestoredReservations restored_reservations{tools, reservations, allocations};
  Arrivals arrivals{tools, holds, job_ends, job_doubts, running_jobs, restored_jobs};
  MissedEnds missed_ends{tools, job_ends, job_doubts, arrivals};
  Cancellations cancellations;
  Reports intake{tools,           entitlements,          allocations,
                 site_policies,   reported_nodes,        reported_reservations,
                 job_doubts,      job_changes,           job_statuses,
                 manager_answers, restored_reservations, arrivals,
                 missed_ends};
  PlanExecution execution{tools,         holds,    reservations, entitlements,
                          failed_starts, launches, preemptions,  cancellations};

  Planning planning;

  // For those who ask: things of the past, and what has been worked out for them.
  Statistics shown;  // to date
};

}  // namespace maui
