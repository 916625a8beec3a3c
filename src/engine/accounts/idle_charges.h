// Charges for the resources that chargeable reservations leave idle (guide 6.4, SRCHARGEACCOUNT,
// setres -A, seed 7.1.5.2.5).
//
// Unused processors of a reservation are charged to its charge account; used ones to the jobs'
// accounts.  Without a charge account, the owner of a standing reservation is accountable.  A debit
// begins with its reservation or whole days later, whenever the scheduler checks.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/accounts/reservation_use.h"
#include "maui/cluster.h"

namespace maui {

class UnseenRuns;

struct IdleCharge {
  std::string reservation;
  std::string payer;                    // ACCOUNT[,GROUP[,USER]], or an owner, KIND:NAME
  std::optional<std::uint64_t> serial;  // of the reservation; nullopt: unknown after a restart
  Time since{0}, until{0};              // the time it covers
  double proc_seconds = 0;              // left idle
  int procs = 0;                        // reserved
};

class IdleCharges {
 public:
  /// Accrues the charge of a reservation for [from, until), in which everything was as it is now,
  /// except `unseen`.
  void accrue(const Cluster& cluster, KeptProcsOnce& all, const UnseenRuns& unseen,
              const Reservation& reservation, Time from, Time until);
  /// Adds what was not accrued for [from, until), since the runs in `over` counted as in use then.
  void add_missed(const Cluster& cluster, const JobFlags& flags, const UnseenRuns& over, Time from,
                  Time until);
  /// True if the reservation of that name will be known again.
  using Comes = std::function<bool(const std::string& reservation)>;
  /// Removes and returns charges to debit at `now`: of ended reservations; of others once a day.
  std::vector<IdleCharge> due(const Cluster& cluster, Time now, const Comes& comes);
  /// Returns the charges that are not due yet.
  const std::vector<IdleCharge>& open() const { return open_; }
  /// Removes and returns these.
  std::vector<IdleCharge> take_open() { return std::exchange(open_, {}); }
  /// Continues the open charges of a previous scheduler.
  void resume(std::vector<IdleCharge> open) { open_ = std::move(open); }
  /// Gives `restored` the charge that a previous scheduler began under this name.
  void resume(const std::string& name, const Reservation& restored);

 private:
  /// Returns the open charge of the reservation, or a new one that begins at `begin`.
  IdleCharge& open_for(const Reservation& reservation, Time begin);

  std::vector<IdleCharge> open_;
};

}  // namespace maui
