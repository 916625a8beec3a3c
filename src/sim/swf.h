// The Standard Workload Format, version 2.2: logs of the Parallel Workloads Archive.
//
// Each job is a line of 18 numbers, with -1 for unknown; comment lines "; Key: value" hold the
// headers.  Times in a log count from its UnixStartTime.
//
// Reading rules: a job gets the processors that it requested, or else those it was
// given; without a requested time its limit is its run time; a run time above the
// requested time is cut to it (SwfJob keeps the recorded values); a job that never ran
// is skipped; a job larger than the log's machine is reported and skipped.  Jobs are named by
// their number; user 12 becomes u12, group 3 g3, queue 2 class q2 if nodes offer this
// class, executable 5 app5.  A job waits for the end of its preceding job (field 17) if
// that is an earlier job of the log; with a think time (field 18), it is instead
// submitted that long after the end, regardless of its recorded submission.  Partitions
// are not simulated.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "maui/resource_manager.h"
#include "maui/result.h"
#include "sim/trace_summary.h"
#include "sim/workload.h"

namespace maui {

struct SwfHeader {
  Time start{0};                              // UnixStartTime
  std::int64_t max_nodes = 0, max_procs = 0;  // 0: not given
};

struct SwfJob {
  std::int64_t number = 0, submitted = 0;  // seconds since the log began
  std::int64_t run_time = 0, limit = 0;
  std::int32_t procs = 0, memory = 0;  // MB per processor; 0: unknown
  std::int64_t ran = 0;                // recorded run time, which may exceed the limit
  std::int32_t given = 0;              // processors allocated, or requested if unknown
  std::int32_t user = -1, group = -1, queue = -1, executable = -1;
  std::int64_t wait = -1;       // seconds until it started; negative: unknown
  std::int64_t preceding = -1;  // the job that must end before this job; negative: none
  std::int64_t think = -1;      // seconds from that end to its submission; negative: none
  double cpu = -1;              // seconds of CPU time per processor; negative: unknown
  double proc_seconds = 0;
  std::int64_t line = 0;   // in the file
  std::size_t fields = 0;  // in the job's line
  bool cancelled = false;
};

/// The properties of a machine that decide which requests of a log's jobs are simulated.
struct SwfMachine {
  bool memory = false;  // nodes report how much they have
  std::unordered_set<std::string> classes;
  NodeAccess access = NodeAccess::dedicated;
};

struct SwfLog {
  SwfHeader header;
  std::vector<SwfJob> jobs;  // by submission; jobs submitted at the same time in the file's order
};

/// Returns "q2"; empty if the log names no queue.
std::string class_of(const SwfJob& job);

bool is_swf(std::string_view path);

/// A job that never ran has run_time 0.  The limit is at least the run time.
Result<SwfJob> parse_swf_record(std::string_view line);
/// Stores the value of a comment line in `header` if it is one of the headers used.
void parse_swf_header(std::string_view line, SwfHeader& header);

/// Clears `preceding` of every job whose preceding job is not an earlier job of the log.
void drop_vain_waits(SwfLog& log);

/// Reads a log.  Bad lines and repeated job numbers are reported; jobs that never ran are skipped.
Result<SwfLog> read_swf(const std::string& path, TraceSummary& summary);

/// Reports and skips the jobs that ask for more than `procs` processors, which the log's machine
/// cannot have run.  Fails if no job remains.
Status drop_oversized(SwfLog& log, std::int64_t procs, const std::string& path,
                      TraceSummary& summary);

/// Returns MaxNodes nodes that share MaxProcs processors evenly; if only one of the two is given,
/// nodes of one processor each.
Result<std::vector<NodeReport>> machine_of(const SwfHeader& header);

JobReport report_of(const SwfJob& job, const SwfHeader& header, const SwfMachine& machine);
std::unique_ptr<Workload> make_workload(SwfLog log, SwfMachine machine);

}  // namespace maui
