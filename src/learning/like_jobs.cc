#include "learning/like_jobs.h"

#include <algorithm>
#include <cmath>

#include "learning/job_runs.h"
#include "model/processor_equivalents.h"

namespace maui {

LikeJobs::LikeJobs(const Cluster& cluster, std::function<SharedRun(const Job&)> expect)
    : cluster_(cluster), expect_(std::move(expect)) {}

const LikeJobs::Expected& LikeJobs::of(const Job& job) {
  if (last_ == nullptr || !like(cluster_.job(last_->first), job)) last_ = &find(job);
  return last_->expected;
}

bool LikeJobs::like(const Job& a, const Job& b) const {
  return a.request == b.request && a.credentials == b.credentials &&
         learned_name(a) == learned_name(b);
}

const LikeJobs::Found& LikeJobs::find(const Job& job) {
  const std::pair key{job.request, job.credentials.user};
  const auto [first, last] = found_.equal_range(key);
  const auto at = std::find_if(
      first, last, [&](const auto& known) { return like(cluster_.job(known.second.first), job); });
  return at == last ? found_.emplace(key, work_out(job))->second : at->second;
}

LikeJobs::Found LikeJobs::work_out(const Job& job) const {
  Found made{job.id, {expect_(job), 0}};
  const double equivalents =
      processor_equivalents(cluster_.configured(), cluster_.request(job.request));
  const ExpectedRun& expected = made.expected.run->expected();
  made.expected.worth = expected.urgency / (std::sqrt(std::max(1.0, equivalents)) * expected.mean);
  return made;
}

}  // namespace maui
