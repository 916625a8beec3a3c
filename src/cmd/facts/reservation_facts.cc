#include "cmd/facts/reservation_facts.h"

#include <algorithm>
#include <utility>

#include "sched/reservations/standing.h"

namespace maui {

std::int64_t procs_of(const Cluster& cluster, const Reservation& reservation) {
  std::int64_t procs = 0;
  for (const NodeTasks& share : reservation.nodes)
    procs += cluster.reserved_on(reservation, share).procs();
  return procs;
}

ListedOrder::ListedOrder(const Settings& settings) {
  for (const std::string& index : settings.standing_order)
    names_.push_back(standing_name(*settings.standing_reservations.find(index)));
}

// Reservations set only by parameters of release 3.0 (SRNAME and the like) come first.
std::size_t ListedOrder::place(const Reservation& reservation) const {
  if (reservation.kind != ReservationKind::standing) return names_.size() + 1;
  const auto at = std::find(names_.begin(), names_.end(), reservation.standing);
  return at == names_.end() ? 0 : static_cast<std::size_t>(at - names_.begin()) + 1;
}

}  // namespace maui
