// Jobs and reservations that conflict with a new reservation (guide G, setres).
#pragma once
#include <string>
#include <vector>

#include "cmd/context.h"

namespace maui {

/// For ALL and host expressions, which apply regardless: returns the running jobs without access
/// and the reservations beside which `wanted` does not fit.
std::vector<std::string> conflicts_of(const Context& context, const Reservation& wanted);

/// For TASKS: returns the first few that hold nodes usable by `wanted` in its time frame.
std::vector<std::string> in_the_way(const Context& context, const Reservation& wanted);

/// For TASKS: returns why so many tasks would not fit even on idle nodes; empty if they would.
std::string too_many_for_cluster(const Context& context, const Reservation& wanted);

}  // namespace maui
