#include "learning/job_runs.h"

#include <cmath>
#include <cstdint>

namespace maui {

const std::string& learned_name(const Job& job) {
  return job.title.empty() ? job.executable : job.title;
}

JobTraits traits_of(const Cluster& cluster, const Job& job) {
  const Request& request = cluster.request(job.request);
  return {cluster.users[job.credentials.user], learned_name(job), request.total_procs(),
          request.limit};
}

double pace_of(const Cluster& cluster, const Job& job) {
  const Request& request = cluster.request(job.request);
  if (!request.by_speed || request.limit >= kUnlimited) return 1;
  const Seconds limit = cluster.limit_on(request, job.placement);
  if (limit <= Seconds(0) || limit == request.limit) return 1;
  return static_cast<double>(request.limit.raw()) / static_cast<double>(limit.raw());
}

Seconds at_pace(Seconds time, double pace) {
  return pace == 1 ? time
                   : Seconds(static_cast<std::int64_t>(static_cast<double>(time.raw()) * pace));
}

Seconds run_at_speed_1(const Cluster& cluster, const Job& job) {
  const Seconds run = job.ended - job.started - job.suspended_time;
  const double pace = pace_of(cluster, job);
  return pace == 1 ? run : Seconds(std::llround(static_cast<double>(run.raw()) * pace));
}

}  // namespace maui
