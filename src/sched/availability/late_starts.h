// Kept priority reservations (RESERVATIONPOLICY HIGHEST) that cannot begin on time: their time
// has passed since the last iteration, jobs have not left their nodes in time, or the nodes are
// gone.
#pragma once
#include <functional>
#include <unordered_map>
#include <vector>

#include "maui/cluster.h"

namespace maui {

/// The use of the nodes of reservations, without priority reservations.
struct OnNodes {
  /// Returns whether the nodes of the reservation have room for its job from `start` on.
  std::function<bool(const Reservation&, Time start)> room;
  /// Returns the times at which other jobs should leave these nodes, in order.
  std::function<std::vector<Time>(const Reservation&)> ends;
};

/// Returns the reservations that cannot begin on time, with the times at which they can: those
/// whose time has passed, those whose nodes hold a job that overruns, and those behind them on a
/// node, delayed as much as necessary.  Thus, no job loses its turn, and no reservation moves
/// further than the first one is late.  kForever: never, since something other than a job has the
/// nodes.
std::unordered_map<ReservationId, Time> late_starts(const Cluster& cluster, Time now,
                                                    const OnNodes& there);

}  // namespace maui
