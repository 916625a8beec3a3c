// Priority reservations that are kept (RESERVATIONPOLICY HIGHEST) and began
// since the last iteration: their jobs start late.
#pragma once
#include <unordered_map>

#include "maui/cluster.h"

namespace maui {

/// The reservations that cannot begin when they say, and when they can: those whose time has passed
/// now, and those that stand behind them on a node as much later as they must.  So nobody loses his
/// turn, and no reservation moves further than the first one is late.
std::unordered_map<ReservationId, Time> late_starts(const Cluster& cluster, Time now);

}  // namespace maui
