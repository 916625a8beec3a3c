// Everything the engine knows between iterations: all of its state except its tools and requests
// in flight.  The state is a value, so that the effect of a command can be tried on a copy
// (trial.cc).
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/accounts/fairshare_ledger.h"
#include "engine/accounts/idle_charges.h"
#include "engine/accounts/reservation_use.h"
#include "engine/accounts/statistics.h"
#include "engine/actions/deferrals.h"
#include "engine/actions/dependencies.h"
#include "engine/actions/perhaps_suspended.h"
#include "engine/actions/preemptors.h"
#include "engine/actions/priority_bounds.h"
#include "engine/actions/refused_starts.h"
#include "engine/actions/site_words.h"
#include "engine/actions/start_dates.h"
#include "engine/actions/triggers.h"
#include "engine/actions/unanswered_requests.h"
#include "engine/actions/unanswered_requeues.h"
#include "engine/checkpoint/pending_restore.h"
#include "engine/clock_steps.h"
#include "engine/reports/doubted_jobs.h"
#include "engine/reports/gone_nodes.h"
#include "engine/reports/manager_contact.h"
#include "engine/reports/node_loads.h"
#include "engine/reports/node_reports.h"
#include "engine/reports/node_sync.h"
#include "engine/reports/partition_masks.h"
#include "engine/reports/touched_nodes.h"
#include "engine/stop_rule.h"
#include "learning/run_time_learning.h"
#include "maui/cluster.h"
#include "maui/plan.h"
#include "maui/resource_manager.h"
#include "maui/rm_record.h"
#include "maui/settings.h"
#include "sched/reservations/standing.h"

namespace maui {

struct EngineKnowledge {
  EngineKnowledge(Settings given, Time now)
      : settings(std::move(given)), started_at(now), accounted(now) {}

  // The current state, and the decisions based on it.
  Settings settings;
  Cluster cluster;
  Plan plan;
  Dependencies dependencies;
  StandingPlanner standing;
  Triggers triggers;
  RunTimeLearning learning;

  // The progress of iterations.
  std::int64_t iteration = -1;
  StopRule stop;
  bool exhausted = false;  // a simulation's workload has no more jobs
  /// Jobs, and their arrivals, of this iteration: they start now or not at all.
  std::vector<std::pair<JobId, std::uint64_t>> no_queue;
  std::vector<NodeId> nodes_lost;  // in this iteration
  RefusedStarts refused_starts;
  Preemptors preemptors;  // that do not run yet
  UnansweredRequeues requeues;
  UnansweredRequests requests;

  // Reports of resource managers.
  RmRecord rm_record;
  ManagerContact managers;
  NodeReports reports;
  GoneNodes gone_nodes;
  TouchedNodes touched_nodes;
  NodeSync node_sync;
  NodeLoads node_loads;
  std::vector<PerhapsSuspended> perhaps_suspended;
  DoubtedJobs unexpected;  // their reported states differ from the known ones
  /// By name: reports that JobChanges keeps until the jobs wait.
  std::map<std::string, JobReport> for_next_run;
  SiteWords site_words;
  DoubtedJobs lost;              // no longer reported
  bool partitions_used = false;  // some node is in a partition other than DEFAULT
  PartitionMasks partition_masks;
  std::set<std::string> unreported_use;  // resource managers that report no use
  std::vector<JobId> over_request;       // active jobs that use more than they requested

  // Time.
  Time started_at;
  ClockSteps clock_steps;
  StartDates start_dates;
  Deferrals deferrals;
  Time last_activity{0};        // when a job last arrived, started, ended, was held or released
  Time next_expiry = kForever;  // no reservation except those of jobs ends earlier

  // Accounts.
  Statistics statistics;
  Time accounted;  // statistics are complete until then
  FairshareLedger fairshare;
  ReservationUses reservation_uses;
  IdleCharges idle_charges;
  Time idle_charged{0};         // idle charges are complete until then
  Time changed_account_at{-1};  // a job that was refused an allocation may start on another

  // State that outlives this scheduler.
  PendingRestore pending_restore;
  std::vector<std::pair<std::string, int>> reservation_numbers;  // the next number of each name
  std::size_t features_in_use = 0;                               // as counted last
  std::size_t partitions_in_use = 0, kinds_in_use = 0;
  std::size_t credentials_in_use = 0;

  // Brought up to date for queries.
  Time queue_times_as_of{0};  // queue times reflect stalled jobs until then
  PriorityBounds priority_bounds;
  bool priorities_stale = false;  // Job::priority is older than the plan
  Time use_settled{-1};           // Node::use is complete until then
};

}  // namespace maui
