// Facts that commands show of a job that only the history knows.
#pragma once
#include <string_view>
#include <vector>

#include "cmd/context.h"
#include "history/history_query.h"
#include "maui/replies/job.h"

namespace maui {

CompletedRow completed_row(const history::KnownJob& known);
std::vector<WaitPeriod> wait_periods(const std::vector<history::Wait>& waits);
/// The job of that name that ended last, of those that whoever asks may see; nothing where the
/// history cannot say.
std::optional<history::KnownJob> job_of_history(const Context& context, std::string_view name);

}  // namespace maui
