// How much of what a reservation keeps was used so far (diagnose -r, Active PH).
#pragma once
#include <cstdint>
#include <map>

#include "maui/cluster.h"

namespace maui {

/// Processors of a reservation: what it keeps, and what of them no job uses.
struct KeptProcs {
  int kept = 0, idle = 0;
};

/// Returns what the reservation keeps.  A job on its nodes uses that before anything else there.
KeptProcs kept_procs(const Cluster& cluster, const Reservation& reservation);

/// Processor time that standing and administrative reservations kept, and how much of it was used.
class ReservationUses {
 public:
  struct Use {
    double active_proc_seconds = 0, kept_proc_seconds = 0;
  };

  /// Counts from `now` on.
  void begin(Time now) { counted_ = now; }
  /// The clock was set.
  void shift(Seconds by) { counted_ = counted_ + by; }
  /// Counts up to `now`; since the last call everything stood as it does.
  void accrue(const Cluster& cluster, Time now);
  /// Returns the use of a standing reservation so far.
  Use of(const Reservation& reservation) const;

 private:
  Time counted_{0};
  std::uint64_t changes_ = 0;          // Cluster::reservation_changes() then
  std::map<std::uint64_t, Use> uses_;  // by serial number
};

}  // namespace maui
