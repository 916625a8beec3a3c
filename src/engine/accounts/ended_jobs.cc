#include "engine/accounts/ended_jobs.h"

#include <algorithm>
#include <utility>

#include "model/busy_procs.h"
#include "model/credentials.h"
#include "model/job_dates.h"
#include "model/placement.h"

namespace maui {

void EndedJobs::add(const Cluster& cluster, const Job& job, int exit_code,
                    const std::optional<ShorterLimit>& shorter, std::string cancelled) {
  const Request& request = cluster.request(job.request);
  EndedJob& ended = jobs_.emplace_back();
  ended.name = job.name;
  fill_names(cluster, job.credentials, ended);
  ended.cancelled = std::move(cancelled);
  ended.completed = job.state == JobState::completed;
  ended.backfilled = has(job.flags, JobFlag::backfill);
  ended.exit_code = exit_code;
  ended.procs = request.total_procs();
  const JobDates dates = dates_of(job);
  ended.submitted = dates.submitted;
  ended.started = dates.started;
  ended.ended = job.ended;
  ended.limit = request.limit;
  if (shorter) {
    ended.shorter_limit = shorter->limit;
    ended.shorter_start = shorter->start;
  }
  if (job.started < kForever) {
    ended.run_time = std::max(job.ended - job.started - job.suspended_time, Seconds(0));
    if (ended.procs > 0)
      ended.efficiency =
          std::min(1.0, utilised_procs(cluster, job) / static_cast<double>(ended.procs));
  }
  if (!job.placement.empty()) {
    const Node& first = cluster.node(job.placement.front().node);
    ended.main_host = first.name;
    if (first.partition.valid()) ended.partition = cluster.partitions[first.partition];
    ended.nodes = static_cast<std::int64_t>(node_count(job.placement));
  }
  drop_beyond_most();
}

void EndedJobs::add(EndedJob job) {
  jobs_.push_back(std::move(job));
  drop_beyond_most();
}

void EndedJobs::drop_beyond_most() {
  if (jobs_.size() > kMost) jobs_.pop_front();
}

void EndedJobs::forget(Seconds keep, Time now) {
  const Seconds kept = std::max(keep, kShortest);
  // Ends may be reported late: an older job behind newer ones is dropped together with those.
  while (!jobs_.empty() && now - jobs_.front().ended > kept) jobs_.pop_front();
}

}  // namespace maui
