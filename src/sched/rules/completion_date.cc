#include "sched/rules/completion_date.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/duration.h"

namespace maui {
namespace {

Seconds shortest_limit(const Cluster& cluster, const Job& job) {
  if (job.alternatives.empty()) return cluster.request(job.request).limit;
  Seconds shortest = kUnlimited;
  for (const auto& shape : job.alternatives) shortest = std::min(shortest, shape.second);
  return shortest;
}

}  // namespace

Time latest_start(const Cluster& cluster, const Job& job, const Request& shape,
                  const Placement& placement) {
  return latest_start(job,
                      job.deadline < kForever ? cluster.limit_on(shape, placement) : shape.limit);
}

bool too_late(const Cluster& cluster, const Job& job, Time now) {
  return job.deadline < kForever && now > latest_start(job, shortest_limit(cluster, job));
}

std::string passes_completion_date(const Cluster& cluster, const Job& job) {
  return fmt::format("CompletionDate: the job needs {} and cannot end by its completion date",
                     format_duration(shortest_limit(cluster, job)));
}

}  // namespace maui
