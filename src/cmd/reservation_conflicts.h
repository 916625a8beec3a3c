// Which jobs and reservations have a claim to what a new reservation is to have (guide G, setres).
#pragma once
#include <string>
#include <vector>

#include "cmd/context.h"

namespace maui {

/// ALL and host expressions apply all the same: whoever runs there and has no access, and the
/// reservations that it cannot stand beside.
std::vector<std::string> conflicts_of(const Context& context, const Reservation& wanted);

/// Of TASKS: who holds the nodes that it may be on in its time; the first few of them.
std::vector<std::string> in_the_way(const Context& context, const Reservation& wanted);

}  // namespace maui
