// A job that has ended, as a record describes it: this scheduler's own record, a workload trace, or
// the accounting of another scheduler (docs/manual/statistics.md).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/accounts/job_totals.h"
#include "maui/credential_kind.h"
#include "maui/job.h"
#include "maui/units.h"
#include "sim/logged_job.h"
#include "sim/swf.h"
#include "sim/workload_trace.h"

namespace maui {

struct RecordedJob {
  std::string name;
  ByKind<std::string> who;  // empty: none or unknown
  std::string partition;
  std::string hosts;                     // hosts of the run, as in field 38 of a record
  JobState state = JobState::completed;  // completed, removed; not_queued: never ran
  std::int64_t procs = 1;
  Seconds limit{0};                         // 0: unknown
  Time submitted{0}, started{0}, ended{0};  // started: 0 if it never ran
  Seconds suspended{0};                     // between start and end
  double proc_seconds = 0;                  // that it kept busy
  bool backfilled = false;
  std::int32_t bypass = 0;

  bool ran() const { return state != JobState::not_queued; }
  /// Without suspensions.
  Seconds run() const { return ran() ? ended - started - suspended : Seconds(0); }
  /// From submission to start, or to the end of a job that never ran.
  Seconds wait() const;
  friend bool operator==(const RecordedJob&, const RecordedJob&) = default;
};

RecordedJob recorded_job(const WorkloadRecord& record);
/// Makes a record.  If the log does not give the job's wait, the job counts as started when it was
/// submitted.
RecordedJob recorded_job(const SwfJob& job, const SwfHeader& header);
RecordedJob recorded_job(const LoggedJob& job);

/// Returns the name of the first node in the job's list of hosts; empty if unknown.
std::string main_host(const RecordedJob& job);
std::int64_t node_count(const RecordedJob& job);

/// Returns the run as statistics count it.  For a job without a limit, its run time counts as
/// limit.  Requires that the job ran.
JobRun run_of(const RecordedJob& job);

}  // namespace maui
