// One iteration (guide 3.3.1): poll, apply, decide, carry out, account.
//
// Answers of the resource manager may come at once or later.  The iteration ends
// when the poll and every start have been answered.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "maui/resource_manager.h"
#include "maui/result.h"
#include "maui/units.h"

namespace maui {

class Allocations;
class Arrivals;
class Cluster;
class FairshareLedger;
class Holds;
class JobChanges;
class JobDoubts;
class JobLimits;
class LastingRequests;
class Launches;
class PlanExecution;
class Planning;
class ReportedNodes;
class Reports;
class Reservations;
class SitePolicies;
struct EngineTools;
struct RmRecord;
struct Settings;
struct Statistics;
struct StopRule;

class Iteration {
 public:
  Iteration(const EngineTools& tools, Holds& holds, Reservations& reservations,
            Allocations& allocations, LastingRequests& lasting_requests, Launches& launches,
            JobLimits& job_limits, SitePolicies& site_policies, ReportedNodes& nodes,
            JobDoubts& doubts, JobChanges& job_changes, Arrivals& arrivals, Reports& reports,
            Planning& planning, PlanExecution& execution);

  /// Runs one iteration, and calls `done` when the resource manager has answered and the plan has
  /// been carried out.  Requires that no iteration is under way.
  void run(std::function<void()> done);
  bool under_way() const { return under_way_; }
  /// Does what precedes planning, without a poll.  `loads_known`: reported loads are those of the
  /// jobs that are on the nodes now.
  void prepare(bool loads_known);

 private:
  struct Failure {
    std::int64_t polls = 0;  // that have failed, of all resource managers
    std::string why;
    friend bool operator==(const Failure&, const Failure&) = default;
  };

  void account_time();
  void catch_up(Time answered);
  void take_in(Result<Update>&& update);
  void poll_failed(const Error& error);
  bool is_new(const Error& error);
  void judge_reports();
  void judge_waiting(bool enforces);
  void give_up_names(bool enforces);
  void judge_jobs(bool enforces);
  void end_what_is_over();
  void decide();
  void account_fairshare();
  void finish();
  void stop_where_due();

  const EngineTools& tools_;
  Holds& holds_;
  Reservations& reservations_;
  Allocations& allocations_;
  LastingRequests& lasting_requests_;
  Launches& launches_;
  JobLimits& job_limits_;
  SitePolicies& site_policies_;
  ReportedNodes& nodes_;
  JobDoubts& doubts_;
  JobChanges& job_changes_;
  Arrivals& arrivals_;
  Reports& reports_;
  Planning& planning_;
  PlanExecution& execution_;
  Cluster& cluster_;
  const Settings& settings_;
  RmRecord& rm_record_;
  Statistics& statistics_;
  Time& accounted_;  // statistics are complete until then
  FairshareLedger& fairshare_;
  std::int64_t& iteration_;
  StopRule& stop_;
  bool under_way_ = false;
  Failure last_failure_;
  std::function<void()> done_;
};

}  // namespace maui
