#include "history/recorded_jobs_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "base/local_zone.h"
#include "sim/given_files.h"
#include "sim/input_format.h"
#include "sim/pbs_accounting.h"
#include "sim/sacct.h"
#include "sim/trace_fields.h"
#include "sim/trace_file.h"

namespace maui {
namespace {

using Take = std::function<void(const RecordedJob&)>;

Result<std::int64_t> of_swf(const std::string& path, const Take& take, TraceSummary& summary) {
  const auto log = read_swf(path, summary);
  if (!log) return log.error();
  for (const SwfJob& job : log->jobs) take(recorded_job(job, log->header));
  return log->header.max_procs;
}

Result<std::int64_t> of_records(const std::string& path, const Take& take, TraceSummary& summary) {
  TraceProblems problems(path, summary);
  const auto read = [&](std::string_view line) -> std::optional<std::string> {
    const auto record = parse_workload_record(line, NodeAccess::shared, Extensions::ignore);
    if (!record) return record.error().what;
    take(recorded_job(*record));
    return std::nullopt;
  };
  if (const auto status = for_each_record(path, problems, read); !status) return status.error();
  return 0;
}

/// `runs`: runs begun in earlier files, whose jobs may end in this one.
Result<std::int64_t> of_log(const std::string& path, WorkloadFormat format, PbsRuns& runs,
                            const Take& take, TraceSummary& summary) {
  JobLog log;
  const Status status = format == WorkloadFormat::sacct
                            ? read_sacct(path, local_zone(), log, summary)
                            : read_pbs_accounting(path, runs, log, summary);
  if (!status) return status.error();
  for (const LoggedJob& job : log.jobs) take(recorded_job(job));
  return 0;
}

Result<std::int64_t> read_file(const std::string& path, PbsRuns& runs, const Take& take,
                               TraceSummary& summary) {
  if (std::error_code ignored; std::filesystem::is_directory(path, ignored))
    return Error{fmt::format("'{}' is a directory: expected the files in it", path)};
  const auto format = workload_format(path);
  if (!format) return format.error();
  switch (*format) {
    case WorkloadFormat::swf:
      return of_swf(path, take, summary);
    case WorkloadFormat::trace:
      return of_records(path, take, summary);
    case WorkloadFormat::sacct:
    case WorkloadFormat::pbs:
      break;
  }
  return of_log(path, *format, runs, take, summary);
}

}  // namespace

Result<std::int64_t> read_recorded_jobs(std::span<const std::string> paths, const Take& take,
                                        TraceSummary& summary) {
  PbsRuns runs;
  GivenFiles files(paths);
  std::int64_t procs = 0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (auto again = files.given_before(i)) {
      summary.problems.push_back(*std::move(again));
      continue;
    }
    const auto reported = read_file(paths[i], runs, take, summary);
    if (!reported) return reported.error();
    procs = std::max(procs, *reported);
  }
  runs.count_unfinished(summary);
  return procs;
}

}  // namespace maui
