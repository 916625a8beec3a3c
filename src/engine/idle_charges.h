// What chargeable reservations leave idle (guide 6.4, SRCHARGEACCOUNT, setres -A, seed 7.1.5.2.5).
//
// Of a reservation with a charge account, processors that no job uses cost that
// account; what jobs use there costs the jobs' own.  Without one the owner that
// a standing reservation is given is accountable.
#pragma once
#include <string>
#include <vector>

#include "maui/cluster.h"

namespace maui {

struct IdleCharge {
  std::string reservation;
  std::string payer;  // ACCOUNT[,GROUP[,USER]], or an owner, KIND:NAME
  std::uint64_t serial = 0;
  Time since{0}, until{0};  // what time it stands for
  double proc_seconds = 0;  // left idle
  int procs = 0;            // that were kept
};

class IdleCharges {
 public:
  /// Everything stood in [from, until) as it does now.
  void accrue(const Cluster& cluster, Time from, Time until);
  /// What is to be debited at `now`: of reservations that are over, and of others once a day.
  std::vector<IdleCharge> due(const Cluster& cluster, Time now);
  /// What is not due yet.
  const std::vector<IdleCharge>& open() const { return open_; }

 private:
  std::vector<IdleCharge> open_;
};

}  // namespace maui
