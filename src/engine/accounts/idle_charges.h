// Charges for what chargeable reservations leave idle (guide 6.4, SRCHARGEACCOUNT, setres -A,
// seed 7.1.5.2.5).
//
// Processors of a reservation with a charge account that no job uses cost that
// account; what jobs use there costs the jobs' own.  Without one the owner that
// a standing reservation is given is accountable.  Where a debit begins does not
// depend on when anybody looked: with its reservation or a whole number of days later.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "maui/cluster.h"

namespace maui {

struct IdleCharge {
  std::string reservation;
  std::string payer;         // ACCOUNT[,GROUP[,USER]], or an owner, KIND:NAME
  std::uint64_t serial = 0;  // of the reservation; 0: it is not known again after a restart
  Time since{0}, until{0};   // what time it stands for
  double proc_seconds = 0;   // left idle
  int procs = 0;             // that were kept
};

/// The account that pays for what it leaves idle; empty: none.
const std::string& payer_of(const Reservation& reservation);

class IdleCharges {
 public:
  /// Everything stood in [from, until) as it does now.
  void accrue(const Cluster& cluster, Time from, Time until);
  /// True if the reservation of that name will be known again.
  using Comes = std::function<bool(const std::string& reservation)>;
  /// Charges to be debited at `now`: for reservations that are over, and once a day for others.
  std::vector<IdleCharge> due(const Cluster& cluster, Time now, const Comes& comes);
  /// Charges that are not due yet.
  const std::vector<IdleCharge>& open() const { return open_; }
  /// Goes on with the open charges of another scheduler.
  void resume(std::vector<IdleCharge> open) { open_ = std::move(open); }

 private:
  /// The open charge of the reservation, or a new one that begins at `begin`.
  IdleCharge& open_for(const Reservation& reservation, Time begin);

  std::vector<IdleCharge> open_;
};

}  // namespace maui
