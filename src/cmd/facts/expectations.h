// The expectations of a job that is asked about, by earlier runs (docs/learning.md).
#pragma once
#include <optional>

#include "cmd/context.h"
#include "maui/replies/expected_end.h"
#include "maui/units.h"

namespace maui {

/// When the active job is expected to end; nothing where no job like it is known, or nothing is
/// learned.
std::optional<ExpectedEnd> expected_end(const Context& context, const Job& job);
/// By wallclock limits the waiting job starts no later than that; kForever: nothing is promised.
Time promised_start(const Context& context, const Job& job);
/// Completes the reply, a StartReply or a JobReply, by when the waiting job starts if each job
/// before it runs for as long as is expected, and the first also when it does if each runs for its
/// limit, unless it is too far down the queue to be looked for.
void expect_start(const Context& context, JobId job);

}  // namespace maui
