#include "engine/checkpoint/restored_reservations.h"

#include <fmt/format.h>

#include <utility>

#include "engine/accounts/allocations.h"
#include "engine/actions/reservations.h"
#include "engine/checkpoint/pending_restore.h"
#include "engine/knowledge.h"
#include "engine/tools.h"

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
}

/// Returns true if nothing remains to be done for the reservation.
bool RestoredReservations::restored(const CheckpointedReservation& saved) {
  if (allocations_.is_over(saved.terms)) {  // it has ended in the meantime
    reservations_.restore_end(saved.terms);
    return true;
  }
  Reservation wanted = saved.terms;
  wanted.nodes = known_part(cluster_, saved.shares);
  if (wanted.nodes.empty()) return false;
  const bool whole = wanted.nodes.size() == saved.shares.size();
  if (!whole)
    tools_.log(1, "fSCHED", [&] {
      return fmt::format("WARNING: reservation '{}': {} of its {} nodes are not known yet",
                         wanted.name, saved.shares.size() - wanted.nodes.size(),
                         saved.shares.size());
    });
  const ReservationId id = reservations_.restore(std::move(wanted), saved.life);
  allocations_.resume_idle(saved.terms.name, cluster_.reservation(id));
  return whole;
}

}  // namespace maui
