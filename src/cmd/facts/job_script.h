// Reads the request of a job script: its #SBATCH or #PBS directives, as the report of a job.
//
// Reads the options that affect whether and where the job can run.  Options about other matters
// (the job's name, its output, mail) are ignored; any further option is listed, since it has no
// effect here.
#pragma once
#include <cstdint>
#include <string_view>

#include "cmd/facts/script_reading.h"
#include "maui/result.h"

namespace maui {

/// Reads the lines up to the first command; host lists may have `most_hosts` hosts.  An error names
/// the line.
Result<JobScript> read_job_script(std::string_view text, std::uint64_t most_hosts);

}  // namespace maui
