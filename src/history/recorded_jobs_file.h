// The jobs that ended, read from files of whatever format (sim/input_format.h), one after the
// other.
#pragma once
#include <functional>
#include <span>
#include <string>

#include "history/recorded_job.h"
#include "maui/result.h"
#include "sim/trace_summary.h"

namespace maui {

/// Hands each job of the files to `take`, in their order.  Lines that cannot be used are reported.
/// Returns the processors of the machine, as far as a file gives them; else 0.  An error if a
/// file cannot be read.
Result<std::int64_t> read_recorded_jobs(std::span<const std::string> paths,
                                        const std::function<void(const RecordedJob&)>& take,
                                        TraceSummary& summary);

}  // namespace maui
