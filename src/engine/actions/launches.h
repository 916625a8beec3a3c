// Starts a job that has been given nodes: if the allocation manager approves (guide 6.4), the
// resource manager starts the job.  If either refuses, the job waits again, with the reason.
#pragma once
#include <cstdint>
#include <string>

#include "maui/job.h"
#include "maui/resource_manager.h"
#include "maui/result.h"
#include "maui/units.h"

namespace maui {

class Allocations;
class Cluster;
class Dependencies;
class Entitlements;
class FailedStarts;
class Holds;
class KeptRequests;
struct AllocationAnswer;
struct EngineTools;
struct RmRecord;
struct Settings;

class Launches {
 public:
  Launches(const EngineTools& tools, Holds& holds, Entitlements& entitlements,
           Allocations& allocations, FailedStarts& failed_starts, KeptRequests& requests);

  /// Starts `job`, which has just been started in the cluster.  `reserved`: it had a reservation.
  void launch(JobId job, bool reserved, ResourceManager::Answer reply);
  /// Requests the lien of a waiting job for which others are to be preempted.  If it is refused,
  /// the job is deferred or gets another account, as at its start.
  void fund_preemptor(JobId job, const Placement& placement, ResourceManager::Answer reply);
  /// Ends the deferrals of jobs that the allocation manager's failure kept from starting, once it
  /// works again; until then, asks it whether it does (BANKDEFERJOBONFAILURE).
  void look_at_deferred();
  /// Lifts the liens of preemptors that have not started.
  void lift_unused_liens();
  /// True if the resource manager has not yet received the request for some start.
  bool any_unasked() const { return unasked_ > 0; }
  /// Returns when a job that was refused an allocation was last moved to another account.
  Time changed_account_at() const;

 private:
  bool runs(const RunKey& run) const;
  Status fund(JobId job, bool concerned, const AllocationAnswer& answer);
  Status manager_failed(JobId job, const std::string& why);
  void wait_again(JobId job, const std::string& why);
  void defer(JobId job, const HoldReason& why);
  void out_of_allocations(JobId job, const std::string& why);
  void ask(JobId job, bool reserved, ResourceManager::Answer reply);

  const EngineTools& tools_;
  Holds& holds_;
  Entitlements& entitlements_;
  Allocations& allocations_;
  FailedStarts& failed_starts_;
  KeptRequests& requests_;
  Cluster& cluster_;
  const Settings& settings_;
  RmRecord& rm_record_;
  Dependencies& dependencies_;
  Time& changed_account_at_;
  int unasked_ = 0;           // starts
  bool any_deferred_ = true;  // perhaps for the allocation manager's failure, by a checkpoint too
};

}  // namespace maui
