// Runs while no scheduler counted what reservations leave idle: after a kill, since the checkpoint.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "engine/accounts/reservation_use.h"
#include "maui/cluster.h"
#include "maui/units.h"

namespace maui {

/// The use of reservations in an earlier time, as far as it differed from the use that they have
/// now.
class UnseenRuns {
 public:
  /// Notes that the job, which does not hold its nodes now, held them in [from, until).
  void add(const Cluster& cluster, const JobFlags& flags, const Job& job, Time from, Time until);
  /// Notes that the job, which holds its nodes now, did not hold them in [from, until).
  void add_absence(const Cluster& cluster, const JobFlags& flags, const Job& job, Time from,
                   Time until);
  /// Returns how many processor-seconds of [from, until) the reservation left idle beyond those
  /// that it would have left idle with its present use; negative: it was used more than now.
  double more_idle(const Cluster& cluster, const JobFlags& flags, const Reservation& reservation,
                   Time from, Time until) const;
  void clear() { uses_.clear(); }

 private:
  struct Use {
    NodeId node;
    Time from{0}, until{0};
    UsedProcs procs;  // negative: less than now
  };
  void note(const Cluster& cluster, const JobFlags& flags, const Job& job, Use use);

  std::map<std::uint64_t, std::vector<Use>> uses_;  // by serial number of the reservation
};

}  // namespace maui
