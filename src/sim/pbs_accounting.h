// Accounting logs of TORQUE, PBS Pro and OpenPBS: "MM/DD/YYYY HH:MM:SS;TYPE;JOB;name=value ...".
//
// An E record describes a job that ran; its times are in seconds since the epoch.  A job with an S
// record but no E record had not ended.  Other records are ignored.
#pragma once
#include <string>
#include <string_view>
#include <unordered_set>

#include "maui/result.h"
#include "sim/logged_job.h"
#include "sim/trace_summary.h"

namespace maui {

bool is_pbs_record(std::string_view line);

/// The jobs that began and the jobs that ended in the files read so far.
struct PbsRuns {
  std::unordered_set<std::string> begun, ended;
  void count_unfinished(TraceSummary& summary) const;
};

/// Adds the jobs of a file to `log`.  Unusable lines are reported.
Status read_pbs_accounting(const std::string& path, PbsRuns& runs, JobLog& log,
                           TraceSummary& summary);

}  // namespace maui
