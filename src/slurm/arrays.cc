#include "slurm/arrays.h"

#include "base/text.h"

namespace maui::slurm {
namespace {

struct Tasks {  // "7", "0-4", "10-20:5"
  std::uint32_t first = 0, last = 0, step = 1;
};

std::optional<Tasks> read_tasks(std::string_view range) {
  Tasks tasks;
  if (const auto colon = range.find(':'); colon != std::string_view::npos) {
    const auto given = parse_integer<std::uint32_t>(range.substr(colon + 1));
    if (!given || *given == 0) return std::nullopt;
    tasks.step = *given;
    range = range.substr(0, colon);
  }
  const auto dash = range.find('-');
  const auto first = parse_integer<std::uint32_t>(range.substr(0, dash));
  const auto last =
      dash == std::string_view::npos ? first : parse_integer<std::uint32_t>(range.substr(dash + 1));
  if (!first || !last || *last < *first) return std::nullopt;
  tasks.first = *first;
  tasks.last = *last;
  return tasks;
}

std::string_view without_limit(std::string_view text) { return text.substr(0, text.find('%')); }

}  // namespace

std::optional<std::vector<std::uint32_t>> array_tasks(std::string_view text, std::size_t most) {
  std::vector<std::uint32_t> tasks;
  for (const auto range : split(without_limit(text), ',')) {
    const auto some = read_tasks(range);
    if (!some) return std::nullopt;
    for (std::uint64_t task = some->first; task <= some->last && tasks.size() < most;
         task += some->step)
      tasks.push_back(static_cast<std::uint32_t>(task));
  }
  return tasks;
}

bool has_array_task(std::string_view text, std::uint32_t task) {
  for (const auto range : split(without_limit(text), ',')) {
    const auto some = read_tasks(range);
    if (some && some->first <= task && task <= some->last && (task - some->first) % some->step == 0)
      return true;
  }
  return false;
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
