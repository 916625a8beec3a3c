// Slurm's accounting as `sacct --parsable2` prints it: a line of names, then one a job.
//
// The names say which column is which, so their order is free.  Needed are JobIDRaw or JobID,
// User, Submit, Start, End, and AllocCPUS or AllocTRES; Group, Account, Partition, QOS, JobName,
// Timelimit or TimelimitRaw, NNodes or AllocNodes, ReqTRES, AllocTRES, NodeList and State are used
// where they are.  Steps are passed over.  Each element of an array is a job, and so is each run of
// one that was requeued: the second run of 17 is 17+2.  Jobs that never ran, or still do, take no
// part.
#pragma once
#include <string>
#include <string_view>

#include "maui/result.h"
#include "maui/time_zone.h"
#include "sim/logged_job.h"
#include "sim/trace_summary.h"

namespace maui {

/// A line with names of columns of sacct.
bool is_sacct_header(std::string_view line);

/// Adds the jobs of a file.  Lines that cannot be used are reported.
Status read_sacct(const std::string& path, const TimeZone& zone, JobLog& log,
                  TraceSummary& summary);

/// The command whose output is read best: with times that no zone changes.
std::string_view sacct_command();

}  // namespace maui
