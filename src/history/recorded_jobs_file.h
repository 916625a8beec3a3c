// Reads ended jobs from files of any supported format (sim/input_format.h), one after the
// other.
#pragma once
#include <functional>
#include <span>
#include <string>

#include "history/recorded_job.h"
#include "maui/result.h"
#include "sim/trace_summary.h"

namespace maui {

/// Passes each job of the files to `take`, in order, and reports unusable lines in `summary`.
/// Reads a file that is given twice, under whatever names, only once, and reports that, too.
/// Returns the number of processors of the machine if a file gives it, else 0; an error if a file
/// cannot be read.
Result<std::int64_t> read_recorded_jobs(std::span<const std::string> paths,
                                        const std::function<void(const RecordedJob&)>& take,
                                        TraceSummary& summary);

}  // namespace maui
