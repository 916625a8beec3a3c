// Workload traces (guide 16.3): one job per line, 44 fields, read and written.
//
// Statistics have the same format, so that one run can read what another run wrote.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "maui/cluster.h"
#include "maui/resource_manager.h"
#include "maui/result.h"
#include "sim/trace_summary.h"
#include "sim/used_machine.h"
#include "sim/workload.h"

namespace maui {

/// The content of a record: the job and how it ended.
struct WorkloadRecord {
  JobReport report;                            // recorded times; the run in report.job.recorded
  JobState final_state = JobState::completed;  // completed or removed; not_queued: it never ran
  Time eligible{0}, started{0}, ended{0};      // 0: unknown, or the job never ran
  Seconds suspended{0};                        // between `started` and `ended`
  std::int32_t bypass = 0;
  bool backfilled = false;  // backfill started it
  std::string qos;          // the QOS it had in the end; report.qos is the one requested
  std::string hosts;        // on which it ran, as in field 38
};

/// Whether the resource manager extensions in a job's comment apply: to a job that is to run, and
/// must be valid then; the record of a job that ran says all of the run without them.
enum class Extensions : std::uint8_t { apply, ignore };

/// Parses a record.  Jobs get the given `access` to nodes unless their record says otherwise.  A
/// record may have 43 fields: release 3.0 has no list of allocated hosts.
Result<WorkloadRecord> parse_workload_record(std::string_view line, NodeAccess access,
                                             Extensions extensions = Extensions::apply);

/// Reads the jobs of a file, sorted by submission.  Bad lines and repeated names are reported; jobs
/// that never ran are skipped and counted.
Result<std::unique_ptr<Workload>> read_workload_trace(const std::string& path, NodeAccess access,
                                                      TraceSummary& summary);

/// Reads several files as one workload; adds the hosts on which the jobs ran to `machine`, unless
/// it is null.
Result<std::unique_ptr<Workload>> read_workload_traces(std::span<const std::string> paths,
                                                       NodeAccess access, UsedMachine* machine,
                                                       TraceSummary& summary);

/// Returns the first lines of a file of workload records: the version and the names of the fields.
std::string workload_trace_header();
/// Returns the record of an ended job as one line (without newline).  `began`: the start of its run
/// by the steady clock (RunSpan); kForever: it did not run, or the clock was never set.
std::string write_workload_record(const Cluster& cluster, const Job& job, Time began = kForever);

}  // namespace maui
