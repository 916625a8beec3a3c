#include "engine/checkpoint/restored_reservations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "engine/accounts/allocations.h"
#include "engine/actions/reservations.h"
#include "engine/checkpoint/pending_restore.h"
#include "engine/knowledge.h"
#include "engine/tools.h"
#include "model/placement.h"

namespace maui {

RestoredReservations::RestoredReservations(const EngineTools& tools, Reservations& reservations,
                                           Allocations& allocations)
    : tools_(tools),
      reservations_(reservations),
      allocations_(allocations),
      cluster_(tools.known.cluster),
      pending_restore_(tools.known.pending_restore) {}

void RestoredReservations::restore() {
  std::erase_if(pending_restore_.reservations,
                [this](const CheckpointedReservation& saved) { return restored(saved); });
  std::erase_if(pending_restore_.unknown_shares,
                [this](UnknownShares& rest) { return extended(rest); });
}

/// Returns false if none of its nodes is known.
bool RestoredReservations::restored(const CheckpointedReservation& saved) {
  if (allocations_.is_over(saved.terms)) {  // it has ended in the meantime
    reservations_.restore_end(saved.terms, saved.life);
    return true;
  }
  Reservation wanted = saved.terms;
  auto unknown = saved.shares;
  wanted.nodes = take_known(cluster_, unknown);
  if (wanted.nodes.empty()) return false;
  if (!unknown.empty())
    tools_.log(1, "fSCHED", [&] {
      return fmt::format("WARNING: reservation '{}': {} of its {} nodes are not known yet",
                         wanted.name, unknown.size(), saved.shares.size());
    });
  const ReservationId id = reservations_.restore(std::move(wanted), saved.life);
  const Reservation& made = cluster_.reservation(id);
  allocations_.resume(saved, made);
  if (!unknown.empty() && made.kind == ReservationKind::administrative)
    pending_restore_.unknown_shares.push_back(
        {id, made.serial, made.start, made.end, std::move(unknown)});
  return true;
}

/// Returns true if nothing remains to be done for the reservation.
bool RestoredReservations::extended(UnknownShares& rest) {
  const Reservation& made = cluster_.reservation(rest.reservation);
  if (!made.id.valid() || made.serial != rest.serial || made.start != rest.start ||
      made.end != rest.end)
    return true;
  const Placement found = take_known(cluster_, rest.shares);
  if (found.empty()) return false;
  // Other nodes may have taken the place of these (BESTEFFORT, SPACEFLEX).
  Placement nodes = made.nodes;
  std::int64_t tasks = task_count(nodes);
  for (const NodeTasks& share : found) {
    const bool there = std::any_of(nodes.begin(), nodes.end(), [&](const NodeTasks& known) {
      return known.node == share.node;
    });
    if (there) continue;
    if (made.tasks_wanted > 0 && tasks + share.tasks > made.tasks_wanted) continue;
    nodes.push_back(share);
    tasks += share.tasks;
  }
  reservations_.extend(rest.reservation, std::move(nodes));
  return rest.shares.empty();
}

}  // namespace maui
