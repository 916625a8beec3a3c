// Reads what a job script asks for: its #SBATCH or #PBS directives, as the report of a job.
//
// Read are the options that bear on whether and where the job can run.  Those that say what is done
// with it (its name, its output, mail) are passed over; any other is named, since it does not
// count.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "maui/resource_manager.h"
#include "maui/result.h"

namespace maui {

struct JobScript {
  JobReport asked;                   // limit 0: the script names none
  std::vector<std::string> unknown;  // options that do not count
};

/// Reads the lines down to the first that is a command; its lists may name `most_hosts` hosts.  An
/// error names the line.
Result<JobScript> read_job_script(std::string_view text, std::uint64_t most_hosts);

}  // namespace maui
