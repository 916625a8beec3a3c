// The time for which a run was suspended, as far as its resource manager can be believed.
#pragma once
#include <optional>
#include <string>

#include "maui/job.h"
#include "maui/units.h"

namespace maui {

/// Returns for how long a run from `began` to `until` was suspended, of which its resource manager
/// tells `told`; `began` is kForever if the start is unknown.  Returns nothing if that is longer
/// than the run, apart from rounding: it is then not of this run, and says nothing about it.
std::optional<Seconds> told_suspension(Seconds told, Time began, Time until);

/// As above, of a job that is reported at `now` in that state, with its start, end and suspension.
/// `here`: the job as it is known, or null.  If it has a run here, the report is of this run, also
/// where it shows that the run is over; otherwise of the run in the report, if that has one.
std::optional<Seconds> told_suspension(const Job& reported, JobState state, const Job* here,
                                       Time now);

/// Returns the run's suspended time until then, including a suspension that lasts.
Seconds suspended_until(const Job& job, Time until);

/// Returns the warning that nothing could be believed.
std::string told_too_long(const std::string& job);

}  // namespace maui
