// Applies an answer of the resource managers: nodes, reservations, missed ends, job states, ends,
// changed jobs, arriving jobs, in this order.
#pragma once
#include <functional>
#include <optional>

#include "maui/resource_manager.h"
#include "maui/units.h"

namespace maui {

class Allocations;
class Arrivals;
class Cluster;
class Entitlements;
class JobChanges;
class JobDoubts;
class JobStatuses;
class ManagerAnswers;
class ManagerContact;
class MissedEnds;
class RefusedStarts;
class ReportedNodes;
class ReportedReservations;
class RestoredReservations;
class SitePolicies;
struct EngineTools;
struct PendingRestore;
struct Statistics;

class Reports {
 public:
  Reports(const EngineTools& tools, Entitlements& entitlements, Allocations& allocations,
          SitePolicies& site_policies, ReportedNodes& nodes, ReportedReservations& reservations,
          JobDoubts& doubts, JobChanges& job_changes, JobStatuses& job_statuses,
          ManagerAnswers& manager_answers, RestoredReservations& restored_reservations,
          Arrivals& arrivals, MissedEnds& missed_ends);

  /// Applies an answer, yielding to other work in between, then calls `done`.
  void take_in(Update&& update, std::function<void()> done);

 private:
  // One stage after another; each calls the next.
  void take_in_jobs();
  void take_in_states();
  void take_in_changes();
  void take_in_arrivals();
  void finish();

  void take_in_reservations();
  void note_lost();
  void account_gap();

  const EngineTools& tools_;
  Entitlements& entitlements_;
  Allocations& allocations_;
  SitePolicies& site_policies_;
  ReportedNodes& nodes_;
  ReportedReservations& reservations_;
  JobDoubts& doubts_;
  JobChanges& job_changes_;
  JobStatuses& job_statuses_;
  ManagerAnswers& manager_answers_;
  RestoredReservations& restored_reservations_;
  Arrivals& arrivals_;
  MissedEnds& missed_ends_;
  Cluster& cluster_;
  RefusedStarts& refused_starts_;
  ManagerContact& managers_;
  Statistics& statistics_;
  PendingRestore& pending_restore_;
  bool& exhausted_;
  Time& last_activity_;
  std::optional<Update> update_;  // the answer that is being applied
  std::function<void()> done_;
};

}  // namespace maui
