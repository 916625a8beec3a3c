// Accounting logs of TORQUE, PBS Pro and OpenPBS: "MM/DD/YYYY HH:MM:SS;TYPE;JOB;name=value ...".
//
// An E record tells all of a job that ran; times in it count from the epoch.  A job with an S
// record and no E record had not ended.  Other records are passed over.
#pragma once
#include <string>
#include <string_view>
#include <unordered_set>

#include "maui/result.h"
#include "sim/logged_job.h"
#include "sim/trace_summary.h"

namespace maui {

bool is_pbs_record(std::string_view line);

/// Which jobs have begun, and which have ended, in the files read so far.
struct PbsRuns {
  std::unordered_set<std::string> begun, ended;
  void count_unfinished(TraceSummary& summary) const;
};

/// Adds the jobs of a file.  Lines that cannot be used are reported.
Status read_pbs_accounting(const std::string& path, PbsRuns& runs, JobLog& log,
                           TraceSummary& summary);

}  // namespace maui
