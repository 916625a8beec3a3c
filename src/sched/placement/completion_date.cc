#include "sched/placement/completion_date.h"

#include <fmt/format.h>

#include "base/duration.h"
#include "sched/placement/variants.h"

namespace maui {
Time latest_start(const Cluster& cluster, const Job& job, const Request& shape,
                  const Placement& placement) {
  return latest_start(job,
                      job.deadline < kForever ? cluster.limit_on(shape, placement) : shape.limit);
}

Time latest_start(const Cluster& cluster, const Job& job, const Request& shape) {
  return latest_start(job, job.deadline < kForever ? shortest_stay(cluster, shape) : shape.limit);
}

bool too_late(const Cluster& cluster, const Job& job, Time now) {
  return job.deadline < kForever && now > latest_start(job, shortest_stay(cluster, job));
}

std::string passes_completion_date(const Cluster& cluster, const Job& job) {
  return fmt::format("CompletionDate: the job needs {} and cannot end by its completion date",
                     format_duration(shortest_stay(cluster, job)));
}

}  // namespace maui
