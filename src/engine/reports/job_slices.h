// How many reports of jobs are applied before others have their turn.
#pragma once
#include <cstddef>

#include "maui/resource_manager.h"

namespace maui {

/// They take some milliseconds.
inline constexpr std::size_t kJobsAtOnce = 200;
/// Names of hosts in a job's lists that cost as much as a job.
inline constexpr std::size_t kHostsOfAJob = 20;

/// Returns how much it takes to apply a report, in jobs.
inline std::size_t work_of(const JobReport& report) {
  const auto hosts =
      report.host_list.size() + report.excluded_hosts.size() + report.task_list.size();
  return 1 + hosts / kHostsOfAJob;
}

}  // namespace maui
