#include "learning/fair_waits.h"

#include <algorithm>
#include <cmath>

#include "learning/job_runs.h"
#include "model/processor_equivalents.h"

namespace maui {
namespace {

// Whole processor-seconds, so that sums do not depend on the order.
std::int64_t area(double equivalents, double seconds) {
  return std::llround(equivalents * seconds);
}

bool waits_fairly(const RunTimes& times, JobId job) { return times.of(job).fair_wait < kUnlimited; }

}  // namespace

FairWaits::Share& FairWaits::share(JobId job) {
  if (job.index() >= shares_.size()) shares_.resize(job.index() + 1);
  return shares_[job.index()];
}

FairWaits::Rest& FairWaits::rest(JobId job) {
  if (job.index() >= rests_.size()) rests_.resize(job.index() + 1);
  return rests_[job.index()];
}

void FairWaits::arrived(JobId job) {
  if (job.index() < shares_.size()) shares_[job.index()] = {};
  changed(job);
}

void FairWaits::changed(JobId job) {
  if (job.index() < rests_.size()) rests_[job.index()] = {};
}

void FairWaits::note(const Cluster& cluster, JobId job) {
  share(job).area = area(processor_equivalents(configured_, cluster.request_of(job)),
                         cluster.run_times.of(job).expected.mean);
}

void FairWaits::set(Cluster& cluster, const LearningSettings& settings, Time now,
                    const Expectations& expectations) {
  RunTimes& times = cluster.run_times;
  const auto waiting = cluster.waiting();
  if (auto configured = cluster.configured(); configured != configured_) {
    configured_ = std::move(configured);
    for (const Waiting& line : waiting) note(cluster, line.job);
    rests_.clear();
  }
  std::int64_t backlog = 0;
  std::vector<JobId> without;
  for (const Waiting& line : waiting) {
    Share& job_share = share(line.job);
    job_share.counts = job_share.counts || waits_fairly(times, line.job);
    if (!job_share.counts) without.push_back(line.job);
    if (job_share.counts && !line.held) backlog += job_share.area;
  }
  if (without.empty()) return;
  backlog += running_area(cluster, now, expectations);
  const double least = static_cast<double>(settings.fair_start_limit.raw());
  const double procs = std::max(1.0, static_cast<double>(configured_.procs()));
  for (const JobId id : without) {
    Share& job_share = share(id);
    backlog += job_share.area;
    const double wait = least + settings.fair_start_factor * static_cast<double>(backlog) / procs;
    constexpr double kMost = 1e15;
    times.at(id).fair_wait = Seconds(static_cast<std::int64_t>(std::min(wait, kMost)));
    job_share.counts = true;
  }
}

std::int64_t FairWaits::running_area(const Cluster& cluster, Time now,
                                     const Expectations& expectations) {
  std::int64_t sum = 0;
  for (const Active& line : cluster.active()) {
    Rest& job_rest = rest(line.job);
    if (job_rest.ends != line.ends || now < job_rest.from || now >= job_rest.until)
      look_at(cluster, line, now, expectations, job_rest);
    const double rest_at_1 =
        job_rest.longer.mean_rest(at_pace(now - job_rest.since, job_rest.pace));
    sum += area(job_rest.equivalents, rest_at_1 / job_rest.pace);
  }
  return sum;
}

void FairWaits::look_at(const Cluster& cluster, const Active& line, Time now,
                        const Expectations& expectations, Rest& made) const {
  const Job& job = cluster.job(line.job);
  made.since = job.counted_start();
  made.equivalents = processor_equivalents(configured_, cluster.request(job.request));
  made.pace = pace_of(cluster, job);
  const Expected expected = expectations(job);
  made.longer = expected.run->longer_than(at_pace(now - made.since, made.pace));
  made.from = now;
  made.until = made.longer.mean > 0 ? made.since + Seconds(static_cast<std::int64_t>(
                                                       std::ceil(made.longer.least / made.pace)))
                                    : kForever;
  made.ends = expected.stands ? line.ends : Time{};
}

}  // namespace maui
