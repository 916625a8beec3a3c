// The allocation manager is asked before a job starts, and charges accounts with what the job has
// cost and with what reservations leave idle (guide 6.4).
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/accounts/charges.h"
#include "engine/accounts/idle_charges.h"
#include "engine/accounts/reservation_use.h"
#include "maui/allocation_manager.h"
#include "maui/job.h"
#include "maui/reservation.h"
#include "maui/units.h"

namespace maui {

class Cluster;
struct EngineTools;
struct PendingRestore;
struct Settings;

class Allocations {
 public:
  explicit Allocations(const EngineTools& tools);

  /// Sets the allocation manager; without one nobody is charged.
  void charge_with(AllocationManager& manager);
  /// Sends again what the allocation manager has not taken.
  void retry();
  /// Returns what it has not taken yet, oldest first.
  std::vector<AllocationRequest> due() const;

  /// Asks for the most that the job, which has just been started in the cluster, may come to cost;
  /// `reply` may be called at once.  The lien of a job that has gone meanwhile is lifted.
  void reserve(JobId job, std::function<void(const AllocationAnswer&)> reply);
  /// A run of `job` is over, or never began.
  void settle(const Job& job, Seconds run, Time ended, bool successful);

  /// Accounts the use of reservations until then, and charges for what they leave idle.
  void account_reservations(Time until);
  /// Returns the use of a standing reservation until the last accounting.
  ReservationUses::Use use_of(const Reservation& reservation) const;
  /// True if nothing more is to be done with a restored reservation.
  bool is_over(const Reservation& reservation) const;
  /// Returns the charges for idle reservations that are not due yet.
  const std::vector<IdleCharge>& idle() const;
  /// Goes on with the charges that another scheduler had still to send.
  void resume(std::vector<AllocationRequest> due, std::vector<IdleCharge> idle);

 private:
  void answered(JobId job, std::uint64_t arrival, const AllocationRequest& lien,
                const AllocationAnswer& answer);
  void lift(AllocationRequest lien);
  void note_refusal(const AllocationRequest& request, const AllocationAnswer& answer);
  void note_failure(const std::string& why);
  void log_charge(const AllocationRequest& request) const;
  void charge_idle_reservations(Time until);

  const EngineTools& tools_;
  Cluster& cluster_;
  const Settings& settings_;
  const PendingRestore& pending_restore_;
  const std::int64_t& iteration_;
  ReservationUses& uses_;
  IdleCharges& idle_charges_;
  Time& idle_charged_;           // until when they are complete
  std::int64_t failed_at_ = -2;  // in which iteration: it is not asked again there
  AllocationManager* manager_ = nullptr;
  std::optional<Charges> charges_;  // with a manager
};

}  // namespace maui
