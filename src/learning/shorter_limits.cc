#include "learning/shorter_limits.h"

#include <algorithm>
#include <cstdint>

namespace maui {
namespace {

// Rounds up as users do: to quarters of an hour, or to minutes below a quarter.
Seconds as_limit(Seconds least) {
  constexpr std::int64_t kMinute = 60, kQuarter = 900;
  const std::int64_t step = least.raw() < kQuarter ? kMinute : kQuarter;
  return Seconds((least.raw() + step - 1) / step * step);
}

}  // namespace

Seconds ShorterLimits::enough_for(const RunDistribution& run,
                                  const IntervalCalibration& calibration) {
  constexpr int kSimilar = 4;
  if (run.similar() < kSimilar) return kUnlimited;
  const Seconds enough = as_limit(calibration.at_start(run).high);
  return 2 * enough.raw() > run.limit().raw() ? kUnlimited : enough;
}

ShorterLimits::Known& ShorterLimits::known(JobId job) {
  if (job.index() >= jobs_.size()) jobs_.resize(job.index() + 1);
  return jobs_[job.index()];
}

void ShorterLimits::arrived(JobId job) { known(job) = {}; }

void ShorterLimits::changed(JobId job) {
  known(job).shorter.reset();
  known(job).enough = Seconds(0);
}

void ShorterLimits::ask(Cluster& cluster, Time now, const Enough& enough) {
  constexpr std::size_t kAtOnce = 50;
  constexpr Seconds kNowAndThen{600};
  const auto waiting = cluster.waiting();
  const std::int64_t open = cluster.counts().open_procs;
  if (open <= 0) return;
  const Seconds window = first_reserved_ < kForever ? first_reserved_ - now : Seconds(0);
  for (std::size_t left = std::min(kAtOnce, waiting.size()); left > 0; --left) {
    if (next_ >= waiting.size()) next_ = 0;
    const Waiting& line = waiting[next_++];
    if (line.held || line.special || line.reserved || now - line.queued < kNowAndThen) continue;
    const Request& request = cluster.request(line.request);
    if (request.total_procs() > open || request.limit <= window) continue;
    Known& it = known(line.job);
    if (it.shorter || now - it.looked < kNowAndThen) continue;
    it.looked = now;
    if (it.enough == Seconds(0)) it.enough = enough(line.job);
    if (it.enough >= kUnlimited || (window > Seconds(0) && it.enough > window)) continue;
    cluster.run_times.shorter = {line.job, it.enough};
    return;
  }
}

void ShorterLimits::note(const Cluster& cluster, const Plan& plan, Time now) {
  first_reserved_ = plan.first_reserved;
  const auto& asked = cluster.run_times.shorter;
  if (asked && plan.shorter_starts) known(asked->job).shorter = {asked->limit, now};
}

std::optional<ShorterLimit> ShorterLimits::of(JobId job) const {
  return job.index() < jobs_.size() ? jobs_[job.index()].shorter : std::nullopt;
}

}  // namespace maui
