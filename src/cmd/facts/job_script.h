// Reads what a job script asks for: its #SBATCH or #PBS directives, as the report of a job.
//
// Read are the options that bear on whether and where the job can run.  Those that say what is done
// with it (its name, its output, mail) are passed over; any other is named, since it does not
// count.
#pragma once
#include <cstdint>
#include <string_view>

#include "cmd/facts/script_reading.h"
#include "maui/result.h"

namespace maui {

/// Reads the lines down to the first that is a command; its lists may name `most_hosts` hosts.  An
/// error names the line.
Result<JobScript> read_job_script(std::string_view text, std::uint64_t most_hosts);

}  // namespace maui
