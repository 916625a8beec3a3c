// Claims of jobs and reservations on one node's processors over time (checknode).
//
// A job that a reservation admits counts inside it: the reservation keeps from
// others only what such jobs leave of it.  Reservations made on host expressions
// apply whoever else is there (guide G, setres), so that claims may exceed the node.
#pragma once
#include <string>
#include <vector>

#include "cmd/context.h"
#include "maui/cluster.h"
#include "maui/replies/node.h"

namespace maui {

/// The reservations of active jobs, of waiting ones and others, in order of their start.
std::vector<NodeReservation> reservations_on(const Context& context, const Node& node);

/// A sentence for each time from now on at which claims exceed the node by another amount.
std::vector<std::string> overcommitments(const Node& node,
                                         const std::vector<NodeReservation>& claims, Time now);

}  // namespace maui
