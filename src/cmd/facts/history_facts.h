// Facts about a job that only the history contains.
#pragma once
#include <string_view>
#include <vector>

#include "cmd/context.h"
#include "history/history_query.h"
#include "maui/replies/job.h"

namespace maui {

CompletedRow completed_row(const history::KnownJob& known);
std::vector<WaitPeriod> wait_periods(const std::vector<history::Wait>& waits);
/// Returns the last ended job of that name that the requesting user may see; nullopt if the history
/// has none or cannot be read.
std::optional<history::KnownJob> job_of_history(const Context& context, std::string_view name);

}  // namespace maui
