// A recorded job in the words of showq -c, showhist and checkjob.
#pragma once
#include "history/recorded_job.h"
#include "maui/replies/queue.h"

namespace maui {

CompletedRow completed_row(const RecordedJob& job);

}  // namespace maui
