// The Standard Workload Format, version 2.2: logs of the Parallel Workloads Archive.
//
// 18 numbers a job, -1 for unknown, after comment lines that hold headers
// "; Key: value".  Times in a log count from its UnixStartTime.
//
// Reading rules: a job has the processors that it requested, or else those it
// was given; without a time requested its limit is its run time; a run time
// above the time requested ends there (what it was given, and how long it ran, is kept
// for those who look back); a job that never ran is skipped; a job
// larger than the machine is reported and skipped.  Jobs are named by their
// number, user 12 is u12, group 3 g3, queue 2 class q2 where nodes offer such a
// class, executable 5 app5.  A job waits for the end of the preceding one (field 17),
// where that is an earlier one of the log; with a think time (field 18) it is submitted
// so long after that end instead of when it was recorded.  Partitions are not simulated.
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
  std::int64_t max_nodes = 0, max_procs = 0;  // 0: not said
};

struct SwfJob {
  std::int64_t number = 0, submitted = 0;  // seconds since the log began
  std::int64_t run_time = 0, limit = 0;
  std::int32_t procs = 0, memory = 0;  // MB a processor; 0: unknown
  std::int64_t ran = 0;                // recorded, also beyond the limit
  std::int32_t given = 0;              // processors that it had; those requested where not known
  std::int32_t user = -1, group = -1, queue = -1, executable = -1;
  std::int64_t wait = -1;       // seconds until it started; negative: not known
  std::int64_t preceding = -1;  // the number of the job that has to end before; negative: none
  std::int64_t think = -1;      // seconds from there to its submission; negative: not known
  double cpu = -1;              // seconds that each of its processors was busy; negative: not known
  double proc_seconds = 0;
  std::int64_t line = 0;   // of its file
  std::size_t fields = 0;  // that the line has
  bool cancelled = false;
};

/// The machine that a log is simulated on: which requests of jobs it can judge.
struct SwfMachine {
  bool memory = false;  // nodes say how much they have
  std::unordered_set<std::string> classes;
  NodeAccess access = NodeAccess::dedicated;
};

struct SwfLog {
  SwfHeader header;
  std::vector<SwfJob> jobs;  // by submission; jobs of equal time in the order of the file
};

/// "q2"; empty where the log names no queue.
std::string class_of(const SwfJob& job);

bool is_swf(std::string_view path);

/// A job without run time has run_time 0.  The limit is at least the run time.
Result<SwfJob> parse_swf_record(std::string_view line);
/// Takes what a comment line says, if it is a header that matters.
void parse_swf_header(std::string_view line, SwfHeader& header);

/// Nobody waits for a job that does not come, or not before him.
void drop_vain_waits(SwfLog& log);

/// Bad lines and numbers that stand there twice are reported; jobs that never ran are skipped.
Result<SwfLog> read_swf(const std::string& path, TraceSummary& summary);

/// Reports and skips the jobs that ask for more processors than there are.  Fails when none is
/// left.
Status drop_oversized(SwfLog& log, std::int64_t procs, const std::string& path,
                      TraceSummary& summary);

/// MaxNodes nodes that share MaxProcs processors evenly, or single-processor nodes where only one
/// of the two is given.
Result<std::vector<NodeReport>> machine_of(const SwfHeader& header);

JobReport report_of(const SwfJob& job, const SwfHeader& header, const SwfMachine& machine);
std::unique_ptr<Workload> make_workload(SwfLog log, SwfMachine machine);

}  // namespace maui
