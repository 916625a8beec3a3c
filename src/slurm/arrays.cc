#include "slurm/arrays.h"

#include "base/text.h"

namespace maui::slurm {
namespace {

// "7", "0-4", "10-20:5"
bool append(std::string_view range, std::size_t most, std::vector<std::uint32_t>& tasks) {
  std::uint32_t step = 1;
  if (const auto colon = range.find(':'); colon != std::string_view::npos) {
    const auto given = parse_integer<std::uint32_t>(range.substr(colon + 1));
    if (!given || *given == 0) return false;
    step = *given;
    range = range.substr(0, colon);
  }
  const auto dash = range.find('-');
  const auto first = parse_integer<std::uint32_t>(range.substr(0, dash));
  const auto last =
      dash == std::string_view::npos ? first : parse_integer<std::uint32_t>(range.substr(dash + 1));
  if (!first || !last || *last < *first) return false;
  for (std::uint64_t task = *first; task <= *last && tasks.size() < most; task += step)
    tasks.push_back(static_cast<std::uint32_t>(task));
  return true;
}

}  // namespace

std::optional<std::vector<std::uint32_t>> array_tasks(std::string_view text, std::size_t most) {
  std::vector<std::uint32_t> tasks;
  text = text.substr(0, text.find('%'));
  for (const auto range : split(text, ','))
    if (!append(range, most, tasks)) return std::nullopt;
  return tasks;
}

std::string job_name(const Job& job) {
  if (!job.array_task) return std::to_string(job.id);
  return std::to_string(job.array_job) + "_" + std::to_string(*job.array_task);
}

std::vector<Job> separated(const Job& job) {
  if (job.array_tasks.empty() || job.array_task) return {job};
  std::vector<Job> jobs;
  for (const auto task :
       array_tasks(job.array_tasks, kArrayWindow).value_or(std::vector<std::uint32_t>())) {
    jobs.push_back(job);
    jobs.back().array_task = task;
  }
  return jobs;
}

}  // namespace maui::slurm
