// The process's time zone (TZ) as a value.
#pragma once
#include "maui/time_zone.h"

namespace maui {

/// Returns its changes from 1970 to 2100.
TimeZone local_zone();

}  // namespace maui
