// The expected run time and start of a job, based on earlier runs (docs/learning.md).
#pragma once
#include <optional>

#include "cmd/context.h"
#include "maui/replies/expected_end.h"
#include "maui/units.h"

namespace maui {

/// Returns when the active job is expected to end; nullopt if no similar job is known, or learning
/// is off.
std::optional<ExpectedEnd> expected_end(const Context& context, const Job& job);
/// Returns the latest start of the waiting job by wallclock limits; kForever: no promise.
Time promised_start(const Context& context, const Job& job);
/// Adds to the reply, a StartReply or JobReply, the waiting job's start if all jobs before it run
/// as long as expected; to a StartReply also its start if they run for their limits.  Adds nothing
/// if the job is too far down the queue to be forecast.
void expect_start(const Context& context, JobId job);

}  // namespace maui
