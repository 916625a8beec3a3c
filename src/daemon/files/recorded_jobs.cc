#include "daemon/files/recorded_jobs.h"

#include <set>
#include <sstream>
#include <vector>

#include "base/take_one.h"
#include "base/text.h"
#include "daemon/files/safe_file.h"
#include "engine/checkpoint/checkpoint.h"
#include "sim/workload_fields.h"

namespace maui {
namespace {

constexpr Seconds kDay{24 * 3600};
constexpr std::size_t kName = workload_field("JobID");
constexpr std::size_t kSubmitted = workload_field("Submission Time");
constexpr std::size_t kEnded = workload_field("Completion Time");

Time time_of(std::string_view field) {
  return Time(parse_integer<std::int64_t>(field).value_or(-1));
}

}  // namespace

void RecordedJobs::read(const std::function<std::string(Time)>& file_of, Time since, Time now) {
  since = since - kDay;
  std::set<std::string> files{file_of(now)};
  for (Time day = since; day < now; day = day + kDay) files.insert(file_of(day));
  for (const std::string& path : files) read_file(path, since);
}

void RecordedJobs::read_file(const std::string& path, Time since) {
  const auto text = read_plain_file(path);
  if (!text) return;
  std::istringstream in(*text);
  for (std::string line; std::getline(in, line);) {
    if (in.eof()) break;  // incomplete: it is removed and written again
    const auto fields = words(line);
    if (fields.size() <= kEnded) continue;
    if (time_of(fields[kEnded]) >= since) jobs_.emplace(fields[kName], time_of(fields[kSubmitted]));
  }
}

bool RecordedJobs::take(std::string_view record) {
  if (jobs_.empty()) return false;
  const auto fields = words(record);
  if (fields.size() <= kEnded) return false;
  const Time submitted = time_of(fields[kSubmitted]);
  return take_one(jobs_, std::string(fields[kName]),
                  [submitted](Time recorded) { return about(recorded, submitted); });
}

}  // namespace maui
