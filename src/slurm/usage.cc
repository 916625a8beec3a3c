#include "slurm/usage.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "base/duration.h"
#include "base/text.h"

namespace maui::slurm {
namespace {

// "1-02:03:04", "02:03:04", "02:03.250"
std::optional<double> seconds_of(std::string_view text) {
  double total = 0;
  if (const auto dash = text.find('-'); dash != std::string_view::npos) {
    const auto days = parse_integer<int>(text.substr(0, dash));
    if (!days) return std::nullopt;
    total = *days * static_cast<double>(kDaySeconds);
    text.remove_prefix(dash + 1);
  }
  double time = 0;
  for (const auto part : split(text, ':')) {
    const auto number = parse_number(part);
    if (!number || *number < 0) return std::nullopt;
    time = time * 60 + *number;
  }
  return total + time;
}

// "123456", "512K", "1.5G"; in MB, rounded up.
std::optional<std::int64_t> megabytes_of(std::string_view text) {
  constexpr std::string_view kUnits = "KMGTP";
  double factor = 1;
  if (text.empty()) return std::nullopt;
  if (const auto unit = kUnits.find(text.back()); unit != std::string_view::npos) {
    factor = std::pow(1024.0, static_cast<double>(unit) + 1);
    text.remove_suffix(1);
  }
  const auto number = parse_number(text);
  if (!number || *number < 0 || *number * factor > 1e18) return std::nullopt;
  return static_cast<std::int64_t>(std::ceil(*number * factor / (1024.0 * 1024.0)));
}

void add_step(std::string_view resources, JobUse& use) {
  std::int64_t memory = 0, all_memory = 0;
  for (const auto part : split(resources, ',')) {
    const auto equals = part.find('=');
    if (equals == std::string_view::npos) continue;
    const auto name = part.substr(0, equals), value = part.substr(equals + 1);
    if (name == "cpu")
      if (const auto seconds = seconds_of(value))
        use.cpu_seconds = use.cpu_seconds.value_or(0) + *seconds;
    if (name == "mem") memory = megabytes_of(value).value_or(0);
    if (name == "vmem") all_memory = megabytes_of(value).value_or(0);
  }
  use.memory += memory;
  use.swap += all_memory > memory ? all_memory : 0;  // virtual memory, as in requests
}

}  // namespace

std::vector<std::uint32_t> running_jobs(const Cluster& cluster) {
  std::vector<std::uint32_t> jobs;
  for (const Job& job : cluster.jobs)
    if (job.state == JobState::running && !job.completing) jobs.push_back(job.id);
  return jobs;
}

std::vector<std::string> usage_arguments(const std::vector<std::uint32_t>& jobs) {
  return {"--allsteps", "--noheader", "--parsable2", "--format=JobID,TRESUsageInTot",
          fmt::format("--jobs={}", fmt::join(jobs, ","))};
}

Usage read_usage(std::string_view text) {
  Usage usage;
  for (const auto line : split(text, '\n')) {
    const auto bar = line.find('|');
    if (bar == std::string_view::npos) continue;
    const auto name = line.substr(0, bar);
    const auto job = parse_integer<std::uint32_t>(name.substr(0, name.find('.')));
    if (!job || line.size() == bar + 1) continue;
    add_step(line.substr(bar + 1), usage[*job]);
  }
  return usage;
}

}  // namespace maui::slurm
