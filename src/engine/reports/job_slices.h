// The number of job reports that are applied before other work has its turn.
#pragma once
#include <cstddef>

#include "maui/resource_manager.h"

namespace maui {

/// Applying this many takes some milliseconds.
inline constexpr std::size_t kJobsAtOnce = 200;
/// The number of host names in a job's lists, or of its dependencies, that cost as much as a job.
inline constexpr std::size_t kHostsOfAJob = 20;

/// Returns the cost of applying a report, in jobs.
inline std::size_t work_of(const JobReport& report) {
  const auto hosts =
      report.host_list.size() + report.excluded_hosts.size() + report.task_list.size();
  return 1 + (hosts + report.job.dependencies.size()) / kHostsOfAJob;
}

}  // namespace maui
