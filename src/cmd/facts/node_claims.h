// Claims of jobs and reservations on a node's processors over time (checknode).
//
// A job that a reservation admits counts inside that reservation, which keeps from
// others only what such jobs leave.  Reservations on host expressions apply whatever
// else is on the nodes (guide G, setres), so that claims may exceed the node.
#pragma once
#include <string>
#include <vector>

#include "cmd/context.h"
#include "maui/cluster.h"
#include "maui/replies/node.h"

namespace maui {

/// Returns the reservations of active and waiting jobs and all others, ordered by start.
std::vector<NodeReservation> reservations_on(const Context& context, const Node& node);

/// Returns a sentence for each time from `now` on at which the excess of claims changes.
std::vector<std::string> overcommitments(const Node& node,
                                         const std::vector<NodeReservation>& claims, Time now);

}  // namespace maui
