#include "sim/ended_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "base/local_zone.h"
#include "sim/input_format.h"
#include "sim/logged_job.h"
#include "sim/pbs_accounting.h"
#include "sim/sacct.h"
#include "sim/swf.h"
#include "sim/trace_fields.h"
#include "sim/trace_file.h"
#include "sim/workload_trace.h"

namespace maui {
namespace {

// Says so of jobs whose limits were the site's default.
constexpr const char* kNoLimit = "had no wallclock limit";

void take_run(const JobReport& report, Time ended, std::vector<EndedRun>& runs,
              TraceSummary& summary) {
  if (!report.job.recorded) return summary.skip("never ran", report.name);
  if (report.request.limit <= Seconds(0)) return summary.skip(kNoLimit, report.name);
  const auto& named = report.job.title.empty() ? report.job.executable : report.job.title;
  runs.push_back({report.user, named, report.request.total_procs(), report.request.limit,
                  report.job.recorded->run_time, ended});
}

Result<std::vector<EndedRun>> of_log(const std::string& path, TraceSummary& summary) {
  const auto log = read_swf(path, summary);
  if (!log) return log.error();
  std::vector<EndedRun> runs;
  for (const SwfJob& job : log->jobs) {
    const JobReport report = report_of(job, log->header, {});
    const Seconds in_system(std::max<std::int64_t>(job.wait, 0) + job.run_time);
    take_run(report, report.job.submitted + in_system, runs, summary);
  }
  return runs;
}

Result<std::vector<EndedRun>> of_records(const std::string& path, TraceSummary& summary) {
  TraceProblems problems(path, summary);
  std::vector<EndedRun> runs;
  const auto take = [&](std::string_view line) -> std::optional<std::string> {
    const auto record = parse_workload_record(line, NodeAccess::shared, Extensions::ignore);
    if (!record) return record.error().what;
    if (record->final_state == JobState::not_queued)
      summary.skip("never ran", record->report.name);
    else
      take_run(record->report, record->ended, runs, summary);
    return std::nullopt;
  };
  if (const auto status = for_each_record(path, problems, take); !status) return status.error();
  return runs;
}

/// Reads the accounting of Slurm, TORQUE or PBS.
Result<std::vector<EndedRun>> of_accounting(WorkloadFormat format, const std::string& path,
                                            TraceSummary& summary) {
  JobLog log;
  PbsRuns unfinished;
  const auto status = format == WorkloadFormat::sacct
                          ? read_sacct(path, local_zone(), log, summary)
                          : read_pbs_accounting(path, unfinished, log, summary);
  if (!status) return status.error();
  std::vector<EndedRun> runs;
  for (const LoggedJob& job : log.jobs) {
    if (job.cut_short)
      summary.skip("ended because of a node or another job", job.name);
    else if (job.limit <= Seconds(0))
      summary.skip(kNoLimit, job.name);
    else
      runs.push_back({job.user, job.title, job.tasks * job.procs, job.limit, job.run(), job.ended});
  }
  return runs;
}

Result<std::vector<EndedRun>> of_format(WorkloadFormat format, const std::string& path,
                                        TraceSummary& summary) {
  switch (format) {
    case WorkloadFormat::swf:
      return of_log(path, summary);
    case WorkloadFormat::trace:
      return of_records(path, summary);
    case WorkloadFormat::sacct:
    case WorkloadFormat::pbs:
      break;
  }
  return of_accounting(format, path, summary);
}

}  // namespace

Result<std::vector<EndedRun>> read_ended_runs(const std::string& path, TraceSummary& summary) {
  if (std::error_code ignored; std::filesystem::is_directory(path, ignored))
    return Error{fmt::format("'{}' is a directory: expected the files in it", path)};
  const auto format = workload_format(path);
  if (!format) return format.error();
  auto runs = of_format(*format, path, summary);
  if (runs)
    std::stable_sort(runs->begin(), runs->end(),
                     [](const EndedRun& a, const EndedRun& b) { return a.ended < b.ended; });
  return runs;
}

}  // namespace maui
