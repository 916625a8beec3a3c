#include "engine/reservation_use.h"

#include <algorithm>

namespace maui {

KeptProcs kept_procs(const Cluster& cluster, const Reservation& one) {
  KeptProcs sum;
  for (const NodeTasks& share : one.nodes) {
    const int kept = cluster.reserved_on(one, share).procs();
    int used = 0;
    for (const Occupant& job : cluster.occupancy(share.node).occupants) used += job.amount.procs();
    sum.kept += kept;
    sum.idle += std::max(0, kept - used);
  }
  return sum;
}

void ReservationUses::accrue(const Cluster& cluster, Time now) {
  std::map<std::uint64_t, Use> standing;
  for (const ReservationId id : cluster.reservations()) {
    const Reservation& one = cluster.reservation(id);
    if (one.kind == ReservationKind::job) continue;
    Use& use = standing[one.serial] = of(one);
    const auto time = (std::min(now, one.end) - std::max(counted_, one.start)).raw();
    if (time <= 0) continue;
    const KeptProcs procs = kept_procs(cluster, one);
    use.kept_proc_seconds += static_cast<double>(procs.kept) * static_cast<double>(time);
    use.active_proc_seconds +=
        static_cast<double>(procs.kept - procs.idle) * static_cast<double>(time);
  }
  uses_ = std::move(standing);
  counted_ = now;
}

ReservationUses::Use ReservationUses::of(const Reservation& one) const {
  const auto at = uses_.find(one.serial);
  return at == uses_.end() ? Use{} : at->second;
}

}  // namespace maui
