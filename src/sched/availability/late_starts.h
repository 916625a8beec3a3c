// Priority reservations that are kept (RESERVATIONPOLICY HIGHEST) and cannot begin when they say:
// they began since the last iteration, jobs have not left their nodes in time, or the nodes are
// gone.
#pragma once
#include <functional>
#include <unordered_map>
#include <vector>

#include "maui/cluster.h"

namespace maui {

/// The jobs on the nodes of reservations, but for priority reservations.
struct OnNodes {
  /// True if there is room for the job on the nodes of its reservation from then on.
  std::function<bool(const Reservation&, Time start)> room;
  /// The moments at which those who are on its nodes are to leave them, in order.
  std::function<std::vector<Time>(const Reservation&)> ends;
};

/// The reservations that cannot begin when they say, and when they can: those whose time has passed
/// now, those on whose nodes a job runs on when it has ended, and those that stand behind them on a
/// node as much later as they must.  So nobody loses his turn, and no reservation moves further
/// than the first one is late.  kForever: never, as something else than a job has its nodes.
std::unordered_map<ReservationId, Time> late_starts(const Cluster& cluster, Time now,
                                                    const OnNodes& there);

}  // namespace maui
