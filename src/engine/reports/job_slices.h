// The number of job reports that are applied before other work has its turn, and ends in slices.
#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

#include "engine/tools.h"
#include "maui/resource_manager.h"

namespace maui {

/// Applying this many takes some milliseconds.
inline constexpr std::size_t kJobsAtOnce = 200;
/// Ending a job takes longer, since many others may wait for it.
inline constexpr std::size_t kEndsAtOnce = 20;
/// The number of host names in a job's lists, or of its dependencies, that cost as much as a job.
inline constexpr std::size_t kHostsOfAJob = 20;

/// Returns the cost of applying a report, in jobs.
inline std::size_t work_of(const JobReport& report) {
  const auto hosts =
      report.host_list.size() + report.excluded_hosts.size() + report.task_list.size();
  return 1 + (hosts + report.job.dependencies.size()) / kHostsOfAJob;
}

/// Applies `end` to all ends of jobs in the vector to which `ends` points, a few at a time, then
/// calls `next`.  The vector must stay as it is until then; a smart pointer may see to it.
template <class Ends, class End>
void end_in_slices(const EngineTools& tools, Ends ends, End end, std::function<void()> next) {
  auto step = [ends = std::move(ends), end = std::move(end), done = std::size_t{0}]() mutable {
    for (const auto to = std::min(done + kEndsAtOnce, ends->size()); done < to; ++done)
      end((*ends)[done]);
    return done == ends->size();
  };
  tools.in_slices(std::move(step), std::move(next));
}

}  // namespace maui
