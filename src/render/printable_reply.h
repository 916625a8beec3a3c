// Replies hold names that users and resource managers chose.
#pragma once
#include "maui/reply.h"

namespace maui {

/// The same reply, with nothing in it that a terminal follows rather than shows, and no name that
/// goes over several lines.
Reply printable(const Reply& reply);

}  // namespace maui
