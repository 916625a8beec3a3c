// A recorded job in the form that showq -c, showhist and checkjob display.
#pragma once
#include "history/recorded_job.h"
#include "maui/replies/queue.h"

namespace maui {

CompletedRow completed_row(const RecordedJob& job);

}  // namespace maui
