// Slurm's accounting as `sacct --parsable2` prints it: first the column names, then a line per job.
//
// Columns may be in any order, since the first line names them.  Required are JobIDRaw or JobID,
// User, Submit, Start, End, and AllocCPUS or AllocTRES.  Group, Account, Partition, QOS,
// JobName, Timelimit or TimelimitRaw, NNodes or AllocNodes, ReqTRES, AllocTRES, NodeList and
// State are used if present.  Steps are ignored.  Each task of a job array is a job, with the
// name of JobID if that column is there ("25_1"), else with its own number.  Each run of a requeued
// job is a job: the second run of 17 is 17+2.  Jobs that never ran or still run are skipped.
#pragma once
#include <string>
#include <string_view>

#include "maui/result.h"
#include "maui/time_zone.h"
#include "sim/logged_job.h"
#include "sim/trace_summary.h"

namespace maui {

/// True if the line names columns of sacct.
bool is_sacct_header(std::string_view line);

/// Adds the jobs of a file to `log`.  Unusable lines are reported.
Status read_sacct(const std::string& path, const TimeZone& zone, JobLog& log,
                  TraceSummary& summary);

/// Returns the recommended sacct command, which prints times that do not depend on a time zone.
std::string_view sacct_command();

}  // namespace maui
