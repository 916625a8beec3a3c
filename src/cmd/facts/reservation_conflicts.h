// Which jobs and reservations have a claim to what a new reservation is to have (guide G, setres).
#pragma once
#include <string>
#include <vector>

#include "cmd/context.h"

namespace maui {

/// ALL and host expressions apply all the same: whoever runs there and has no access, and the
/// reservations that it cannot stand beside.
std::vector<std::string> conflicts_of(const Context& context, const Reservation& wanted);

/// For one that asks for TASKS: the first few that hold nodes which it may use in its time.
std::vector<std::string> in_the_way(const Context& context, const Reservation& wanted);

}  // namespace maui
