#include "engine/accounts/reservation_use.h"

#include <algorithm>

#include "sched/reservations/standing_nodes.h"

namespace maui {

const std::string& payer_of(const Reservation& reservation) {
  const bool owner =
      reservation.charge_account.empty() && reservation.kind == ReservationKind::standing;
  return owner ? reservation.owner : reservation.charge_account;
}

UsedProcs used_procs(const Cluster& cluster, const JobFlags& flags, const Reservation& reservation,
                     const Occupancy& here) {
  UsedProcs used;
  for (const Occupant& occupant : here.occupants) {
    used.all += occupant.amount.procs();
    const Job& job = cluster.job(occupant.job);
    if (admission(reservation, applicant_of(cluster, flags, job)).admitted)
      used.inside += occupant.amount.procs();
  }
  return used;
}

int idle_procs(const Cluster& cluster, const Reservation& reservation, const NodeTasks& share,
               const UsedProcs& used) {
  const int kept = cluster.reserved_on(reservation, share).procs();
  const int unused = cluster.node(share.node).configured.procs() - used.all;
  return std::max(0, std::min(kept - used.inside, unused));
}

KeptProcs kept_procs(const Cluster& cluster, const JobFlags& flags,
                     const Reservation& reservation) {
  KeptProcs sum;
  for (const Placement::Part& part : reservation.nodes.parts())
    cluster.occupancies().each(part.nodes, [&](NodeRun run, const Occupancy& here) {
      // Nodes of equal occupancy are of one kind.
      const NodeTasks share{NodeId(run.first), part.tasks, part.requirement};
      const int kept = cluster.reserved_on(reservation, share).procs();
      const UsedProcs used = used_procs(cluster, flags, reservation, here);
      sum.kept += run.size() * kept;
      sum.inside += run.size() * std::min(kept, used.inside);
      sum.idle += run.size() * idle_procs(cluster, reservation, share, used);
    });
  return sum;
}

const KeptProcs& KeptProcsOnce::of(const Reservation& reservation) {
  const auto [at, added] = known_.try_emplace(reservation.serial);
  if (added) at->second = kept_procs(cluster_, flags(), reservation);
  return at->second;
}

const JobFlags& KeptProcsOnce::flags() {
  if (!flags_) flags_.emplace(cluster_, settings_);
  return *flags_;
}

void ReservationUses::accrue(const Cluster& cluster, KeptProcsOnce& all, Time now) {
  if (now == counted_ && cluster.reservation_changes() == changes_) return;
  changes_ = cluster.reservation_changes();
  auto known = uses_.begin();  // sorted by creation, as reservations are
  for (const ReservationId id : cluster.reservations()) {
    const Reservation& reservation = cluster.reservation(id);
    if (reservation.kind == ReservationKind::job) continue;
    while (known != uses_.end() && known->first < reservation.serial) known = uses_.erase(known);
    if (known == uses_.end() || known->first != reservation.serial)
      known = uses_.emplace_hint(known, reservation.serial, Use{});
    Use& use = known++->second;
    const auto time =
        (std::min(now, reservation.end) - std::max(counted_, reservation.start)).raw();
    if (time <= 0) continue;
    const KeptProcs& procs = all.of(reservation);
    use.kept_proc_seconds += static_cast<double>(procs.kept) * static_cast<double>(time);
    use.active_proc_seconds +=
        static_cast<double>(procs.kept - procs.idle) * static_cast<double>(time);
  }
  uses_.erase(known, uses_.end());
  counted_ = now;
}

void ReservationUses::resume(const Reservation& restored, const Use& before) {
  Use& use = uses_[restored.serial];
  use.active_proc_seconds += before.active_proc_seconds;
  use.kept_proc_seconds += before.kept_proc_seconds;
}

ReservationUses::Use ReservationUses::of(const Reservation& reservation) const {
  const auto at = uses_.find(reservation.serial);
  return at == uses_.end() ? Use{} : at->second;
}

}  // namespace maui
