// The jobs that ended, read from files of whatever format (sim/input_format.h), one after the
// other.
#pragma once
#include <functional>
#include <string>

#include "history/recorded_job.h"
#include "maui/result.h"
#include "sim/trace_summary.h"

namespace maui {

/// Hands each job of the file to `take`: those of our records and of workload traces in their
/// order, those of other logs by submission.  Lines that cannot be used are reported.  Returns the
/// processors of the machine, as far as the file tells of them; else 0.  An error if the file
/// cannot be read.
Result<std::int64_t> read_recorded_jobs(const std::string& path,
                                        const std::function<void(const RecordedJob&)>& take,
                                        TraceSummary& summary);

}  // namespace maui
