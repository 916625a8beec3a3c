// The end of a run as it is accounted, whatever its resource manager has told of its dates.
#pragma once
#include "maui/job.h"
#include "maui/units.h"

namespace maui {

struct EngineTools;

/// Returns until when the run of an active or suspended job is accounted that is to end at `until`:
/// not after now, unless that is by the clock as it stood before it was set back.  If its dates
/// would make the run negative, drops the suspensions that were told, and the run does not end
/// before its start.  Logs a warning if it changes anything.
Time close_run(const EngineTools& tools, JobId job, Time until);

}  // namespace maui
