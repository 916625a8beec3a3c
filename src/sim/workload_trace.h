// Workload traces (guide 16.3): one job a line, 44 fields, read and written.
//
// Statistics have the same format, so that what one run writes another can read.
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

/// The content of a record: the job, and how it ended.
struct WorkloadRecord {
  JobReport report;                            // times as recorded; the run in report.job.recorded
  JobState final_state = JobState::completed;  // completed, removed; not_queued: never ran
  Time eligible{0}, started{0}, ended{0};      // 0: not known, or it never ran
  std::int32_t bypass = 0;
  bool backfilled = false;  // backfill started it
  std::string qos;          // that it had in the end; report.qos is the one that it asked for
  std::string hosts;        // where, as field 38 has them
};

/// Jobs whose record says nothing else have `access` to nodes.  43 fields are accepted: release 3.0
/// has no list of allocated hosts.
Result<WorkloadRecord> parse_workload_record(std::string_view line, NodeAccess access);

/// The jobs of a file by time of submission.  Bad lines and names that stand there twice are
/// reported; jobs that never ran are skipped and counted.
Result<std::unique_ptr<Workload>> read_workload_trace(const std::string& path, NodeAccess access,
                                                      TraceSummary& summary);

/// The same of several files that are one workload; `machine`, where it is given, gets the hosts
/// that the jobs ran on.
Result<std::unique_ptr<Workload>> read_workload_traces(std::span<const std::string> paths,
                                                       NodeAccess access, UsedMachine* machine,
                                                       TraceSummary& summary);

/// The beginning of a file of workload records: the version and the names of the fields.
std::string workload_trace_header();
/// One line (no newline) for a job that ended.
std::string write_workload_record(const Cluster& cluster, const Job& job);

}  // namespace maui
