// Asks the allocation manager before a job starts, and charges accounts for jobs and for what
// reservations leave idle (guide 6.4).
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/accounts/charges.h"
#include "engine/accounts/idle_charges.h"
#include "engine/accounts/reservation_use.h"
#include "engine/accounts/unseen_runs.h"
#include "maui/allocation_manager.h"
#include "maui/job.h"
#include "maui/reservation.h"
#include "maui/units.h"

namespace maui {

class Cluster;
struct CheckpointedReservation;
struct EngineTools;
struct PendingRestore;
struct Settings;

class Allocations {
 public:
  using Reply = std::function<void(const AllocationAnswer&)>;

  explicit Allocations(const EngineTools& tools);

  /// Sets the allocation manager; without one, nothing is charged.
  void charge_with(AllocationManager& manager);
  /// Resends the requests that the allocation manager has not taken.
  void retry();
  /// Returns the requests that it has not taken yet, oldest first.
  std::vector<AllocationRequest> due() const;

  /// Requests a lien for the highest possible cost of the job, which has just been started in the
  /// cluster; `reply` may be called at once.  If the job is gone by then, its lien is lifted.
  void reserve(JobId job, Reply reply);
  /// Requests the lien of a waiting job before others are preempted so that it can start on these
  /// nodes.  reserve() uses this lien if the job starts at the same time, and replaces it
  /// otherwise.
  void reserve_ahead(JobId job, const Placement& placement, Reply reply);
  /// True from a failure of the allocation manager until it has answered again.
  bool failing() const { return !failure_.empty(); }
  /// While it fails: finds out whether it works again by a request for the lien of this waiting
  /// job, which is lifted at once, unless another request is under way or due, which shows it, too.
  void try_again(JobId job);
  /// Lifts the liens of reserve_ahead() whose jobs have not started.
  void lift_unused();
  /// Charges a run of `job` that has ended, or lifts the lien of a run that never began.
  void settle(const Job& job, Seconds run, Time ended, bool successful);

  /// Accounts the use of reservations until `until`, and charges for what they leave idle.
  void account_reservations(Time until);
  /// Accrues the charge for what a reservation has left idle until now, when it is released.
  void charge_until_release(const Reservation& reservation);
  /// Charges for what reservations have left idle until now.  Requires that no other scheduler goes
  /// on from here.
  void charge_until_end();
  /// Accounts reservations since the checkpoint, once its jobs and nodes are known: with the runs
  /// that have been settled meanwhile, and without those that had not begun.
  void account_gap(Time until);
  /// Returns the use of a standing or administrative reservation until the last accounting.
  ReservationUses::Use use_of(const Reservation& reservation) const;
  /// True if nothing remains to be done for a restored reservation.
  bool is_over(const Reservation& reservation) const;
  /// Returns the charges for idle reservations that are not due yet.
  const std::vector<IdleCharge>& idle() const;
  /// Continues the charges that a previous scheduler had not sent yet.
  void resume(std::vector<AllocationRequest> due, std::vector<IdleCharge> idle);
  /// Gives a restored reservation the use that a previous scheduler counted, and the idle charge
  /// that it began.
  void resume(const CheckpointedReservation& saved, const Reservation& restored);

 private:
  struct EarlyLien {
    JobId job;
    std::uint64_t arrival = 0;
    AllocationRequest lien;
  };
  AllocationRequest lien_for(const Job& job) const;
  AllocationRequest lien_ahead(JobId job, const Placement& placement) const;
  bool use_early(const Job& job, const AllocationRequest& lien);
  void ask(const AllocationRequest& lien, std::function<bool()> wanted, Reply reply);
  void lift(AllocationRequest lien);
  void note_charge(const AllocationRequest& request, const AllocationAnswer& answer);
  void note_contact(const AllocationAnswer& answer);
  void log_charge(const AllocationRequest& request) const;
  void charge_idle_reservations(KeptProcsOnce& procs, Time until);
  void debit(const std::vector<IdleCharge>& idle);
  bool any_chargeable() const;
  void charge_idle_since_end(const Job& job, Time ended);
  void note_run_since_checkpoint(const Job& job, Time from, Time until);

  const EngineTools& tools_;
  Cluster& cluster_;
  const Settings& settings_;
  const PendingRestore& pending_restore_;
  const std::int64_t& iteration_;
  ReservationUses& uses_;
  IdleCharges& idle_charges_;
  Time& idle_charged_;            // idle charges are complete until then
  UnseenRuns unseen_runs_;        // since the checkpoint, until that time is accounted
  std::int64_t failed_at_ = -2;   // the iteration of the last failure; no retry within it
  std::string failure_;           // why the allocation manager fails; empty: it does not
  bool trying_again_ = false;     // a request of try_again() is under way
  std::vector<EarlyLien> early_;  // of reserve_ahead(), while a plan is carried out
  AllocationManager* manager_ = nullptr;
  std::optional<Charges> charges_;  // only with a manager
};

}  // namespace maui
