#include "daemon/files/recorded_jobs.h"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "base/host_range.h"
#include "base/take_one.h"
#include "base/text.h"
#include "daemon/files/safe_file.h"
#include "sim/workload_fields.h"

namespace maui {
namespace {

constexpr Seconds kDay{24 * 3600};
constexpr std::size_t kName = workload_field("JobID");
constexpr std::size_t kSubmitted = workload_field("Submission Time");
constexpr std::size_t kState = workload_field("Job Completion State");
constexpr std::size_t kStarted = workload_field("Start Time");
constexpr std::size_t kEnded = workload_field("Completion Time");
constexpr std::size_t kLast = workload_field("RESERVED FIELD 1");

Time time_of(std::string_view field) {
  return Time(parse_integer<std::int64_t>(field).value_or(-1));
}

/// Returns the reported submission of a job, if its record has another one.
std::optional<Time> reported_submission(std::string_view last) {
  if (!last.starts_with(kReportedMark)) return std::nullopt;
  last.remove_prefix(kReportedMark.size());
  return time_of(take_item(last, ';'));
}

std::optional<RunOnFile> run_of(std::string_view record) {
  const auto fields = words(record);
  if (fields.size() <= kEnded) return std::nullopt;
  const Time started = time_of(fields[kStarted]);
  const auto reported = fields.size() > kLast ? reported_submission(fields[kLast]) : std::nullopt;
  return RunOnFile{std::string(fields[kName]), reported.value_or(time_of(fields[kSubmitted])),
                   started > Time(0) ? started : kForever, time_of(fields[kEnded]),
                   fields[kState] == "Completed"};
}

/// True if both are the same run of a job.  The runs of a job follow each other, so runs that
/// overlap are the same, however late the end of one was noticed.  Clocks may differ by `doubt`.
bool is_same_run(const RunOnFile& recorded, const RunOnFile& run, Seconds doubt) {
  if (!about(recorded.submitted, run.submitted)) return false;
  const bool recorded_ran = recorded.started < kForever, ran = run.started < kForever;
  if (!recorded_ran) return !ran || run.started < recorded.ended + doubt;
  if (!ran) return about(recorded.ended, run.ended);
  return recorded.started == run.started ||
         std::max(recorded.started, run.started) < std::min(recorded.ended, run.ended) + doubt;
}

}  // namespace

void RecordedJobs::read(const std::function<std::string(Time)>& file_of, Time since, Time now) {
  certain_ = since - kClocks - kClocks;
  since = since - kDay;
  std::set<std::string> files{file_of(now), file_of(since + kDay)};  // the clock may be set back
  for (Time day = since; day < now; day = day + kDay) files.insert(file_of(day));
  for (const std::string& path : files) read_file(path, since);
}

void RecordedJobs::read_file(const std::string& path, Time since) {
  const auto text = read_plain_file(path);
  if (!text) return;
  std::istringstream in(*text);
  for (std::string line; std::getline(in, line);) {
    if (in.eof()) break;  // incomplete: it is removed and written again
    auto run = run_of(line);
    if (!run || run->ended < since) continue;
    std::string name = run->name;
    runs_.emplace(std::move(name), *std::move(run));
  }
}

void RecordedJobs::forget_counted(const std::vector<Checkpoint::Ended>& counted) {
  for (const Checkpoint::Ended& job : counted)
    take_one(runs_, job.name, [&job](const RunOnFile& recorded) {
      const bool ran = recorded.started < kForever;
      const Time until = job.recorded > Time(0) ? job.recorded : job.ran_until;
      return about(recorded.submitted, job.submitted) &&
             (ran ? recorded.ended == until : until == Time(0));
    });
}

std::vector<RunOnFile> RecordedJobs::runs() const {
  std::vector<RunOnFile> all;
  for (const auto& [name, run] : runs_) all.push_back(run);
  return all;
}

bool RecordedJobs::take(std::string_view record) {
  if (runs_.empty()) return false;
  const auto run = run_of(record);
  return run && take_one(runs_, run->name, [this, &run](const RunOnFile& recorded) {
           if (!comparable_) return about(recorded.submitted, run->submitted);
           const Seconds doubt = recorded.ended < certain_ ? Seconds(0) : kClocks;
           return is_same_run(recorded, *run, doubt);
         });
}

}  // namespace maui
