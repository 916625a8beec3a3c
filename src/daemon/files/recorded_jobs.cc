#include "daemon/files/recorded_jobs.h"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "base/host_range.h"
#include "base/percent.h"
#include "base/text.h"
#include "daemon/files/safe_file.h"
#include "model/job_extensions.h"
#include "sim/trace_fields.h"
#include "sim/workload_fields.h"
#include "sim/workload_trace.h"

namespace maui {
namespace {

constexpr std::size_t kName = workload_field("JobID");
constexpr std::size_t kSubmitted = workload_field("Submission Time");
constexpr std::size_t kState = workload_field("Job Completion State");
constexpr std::size_t kStarted = workload_field("Start Time");
constexpr std::size_t kEnded = workload_field("Completion Time");
constexpr std::size_t kManager = workload_field("Resource Manager Name");
constexpr std::size_t kLast = workload_field("RESERVED FIELD 1");

Time time_of(std::string_view field) {
  return Time(parse_integer<std::int64_t>(field).value_or(-1));
}

/// Removes and returns the number of a marked item at the front of a record's last field.
std::optional<std::int64_t> take_marked(std::string_view& last, std::string_view mark) {
  if (!last.starts_with(mark)) return std::nullopt;
  last.remove_prefix(mark.size());
  return parse_integer<std::int64_t>(take_item(last, ';'));
}

std::optional<RunOnFile> run_of(std::string_view record) {
  const auto fields = words(record);
  if (fields.size() <= kEnded) return std::nullopt;
  const Time started = time_of(fields[kStarted]);
  RunOnFile run;
  run.name = percent_unescaped(fields[kName]);
  if (fields.size() > kManager && fields[kManager] != kNoValue)
    run.manager = percent_unescaped(fields[kManager]);
  run.submitted = time_of(fields[kSubmitted]);
  if (started > Time(0)) run.started = started;
  run.ended = time_of(fields[kEnded]);
  run.completed = fields[kState] == "Completed";
  std::string_view last = fields.size() > kLast ? fields[kLast] : std::string_view();
  if (const auto reported = take_marked(last, kReportedMark)) run.submitted = Time(*reported);
  run.reported_start = run.started;
  if (const auto reported = take_marked(last, kReportedStartMark))
    run.reported_start = Time(*reported);
  run.began = run.started;
  if (const auto began = take_marked(last, kBeganMark)) run.began = Time(*began);
  const Seconds set_meanwhile(take_marked(last, kClockSetMark).value_or(0));
  if (run.started < kForever) run.clock_sum = run.started + set_meanwhile - run.began;
  run.suspended = Seconds(take_marked(last, kSuspendedMark).value_or(0));
  return run;
}

/// Returns the hosts of a job's tasks, which the record lists once each: its tasks are spread
/// evenly.
std::vector<std::string> task_list_of(const WorkloadRecord& record) {
  auto hosts = parse_host_list(record.hosts, ':');
  if (record.hosts.empty() || !hosts || hosts->empty()) return {};
  const auto tasks = static_cast<std::size_t>(record.report.request.requirements.front().tasks);
  std::vector<std::string> list;
  for (std::size_t i = 0; i < tasks; ++i)
    list.push_back(percent_unescaped((*hosts)[i * hosts->size() / tasks]));
  return list;
}

/// Returns the job of a record as a checkpoint would have it during the run; nullptr if the record
/// is too damaged for that.
std::shared_ptr<const CheckpointedJob> job_of(std::string_view line, const RunOnFile& run) {
  auto record = parse_workload_record(line, NodeAccess::shared, Extensions::ignore);
  if (!record || run.started == kForever) return nullptr;
  auto task_list = task_list_of(*record);
  if (task_list.empty()) return nullptr;
  auto report = std::make_shared<JobReport>(std::move(record->report));
  report->task_list = std::move(task_list);
  if (report->request.limit == Seconds(0)) report->request.limit = kUnlimited;
  report->qos = std::move(record->qos);
  Job& job = report->job;
  job.state = JobState::running;
  job.submitted = run.submitted;
  job.started = run.reported_start;
  job.suspended_time = job.clock_set = run.started - run.reported_start;
  job.used_run = record->ended - record->started - record->suspended;
  job.use = JobUse{.cpu_seconds = job.recorded->proc_seconds};
  job.recorded.reset();
  CheckpointedJob saved;
  saved.name = run.name;
  saved.manager = job.resource_manager;
  saved.submitted = saved.queued = saved.eligible_since = run.submitted;
  saved.seen = run.ended;
  saved.backfilled = record->backfilled;
  saved.run = std::move(report);
  return std::make_shared<const CheckpointedJob>(std::move(saved));
}

/// Returns up to where the checkpoint counts the records of the file; nullopt: it does not say so.
/// It counts files that are older than those that it names.
std::optional<std::uint64_t> length_counted(const Checkpoint& checkpoint, const std::string& path) {
  if (!checkpoint.records) return std::nullopt;
  const auto name = std::filesystem::path(path).filename().string();
  const auto& lengths = *checkpoint.records;
  if (const auto known = lengths.find(name); known != lengths.end()) return known->second;
  const bool older = !lengths.empty() && name < lengths.begin()->first;
  return older ? std::numeric_limits<std::uint64_t>::max() : 0;
}

}  // namespace

void read_recorded(const std::vector<std::string>& files, Time since, Checkpoint& checkpoint) {
  for (const std::string& path : files) {
    const auto text = read_plain_file(path);
    if (!text) continue;
    const auto counted_to = length_counted(checkpoint, path);
    for (std::size_t at = 0, end = 0; (end = text->find('\n', at)) != text->npos; at = end + 1) {
      const auto line = std::string_view(*text).substr(at, end - at);
      auto run = run_of(line);
      if (!run) continue;
      if (run->started == kForever) run->clock_sum = checkpoint.clock_sum;  // it does not tell
      if (counted_to ? at >= *counted_to : run->ended > checkpoint.when) {
        run->job = job_of(line, *run);
        checkpoint.recorded.push_back(*std::move(run));
      } else if (run->ended >= since) {
        checkpoint.counted.push_back(*std::move(run));
      }
    }
  }
}

}  // namespace maui
