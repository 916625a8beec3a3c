// Makes replies safe for terminals: they hold names that users and resource managers chose.
#pragma once
#include "maui/reply.h"

namespace maui {

/// Returns the reply without control characters that a terminal would obey, and with each name on
/// one line.
Reply printable(const Reply& reply);

}  // namespace maui
