// A job that has ended, as a record of it says: our own, a workload trace, or the accounting of
// another scheduler (docs/manual/statistics.md).
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
  ByKind<std::string> who;  // empty: none, or not known
  std::string partition;
  std::string hosts;                     // on which it ran, as field 38 of a record has them
  JobState state = JobState::completed;  // completed, removed; not_queued: it never ran
  std::int64_t procs = 1;
  Seconds limit{0};                         // 0: none is known
  Time submitted{0}, started{0}, ended{0};  // started: 0 where it never ran
  double proc_seconds = 0;                  // that it kept busy
  bool backfilled = false;
  std::int32_t bypass = 0;

  bool ran() const { return state != JobState::not_queued; }
  Seconds run() const { return ran() ? ended - started : Seconds(0); }
  /// From its submission to its start, or to its end where it never ran.
  Seconds wait() const;
  friend bool operator==(const RecordedJob&, const RecordedJob&) = default;
};

RecordedJob recorded_job(const WorkloadRecord& record);
/// Makes a record; where the log does not say how long it waited, it counts as started when it was
/// submitted.
RecordedJob recorded_job(const SwfJob& job, const SwfHeader& header);
RecordedJob recorded_job(const LoggedJob& job);

/// The name of the node that comes first in its list of hosts; empty: not known.
std::string main_host(const RecordedJob& job);
std::int64_t node_count(const RecordedJob& job);

/// As statistics count it.  A job without a limit counts with the time that it ran.  Requires that
/// it ran.
JobRun run_of(const RecordedJob& job);

}  // namespace maui
