#include "metrics/iteration_times.h"

#include <algorithm>
#include <limits>

namespace maui {

void DurationHistogram::add(std::chrono::duration<double> time) {
  const auto bound = std::lower_bound(kBounds.begin(), kBounds.end(), time.count());
  ++counts_[static_cast<std::size_t>(bound - kBounds.begin())];
  sum_ += time.count();
}

prometheus::ClientMetric DurationHistogram::metric() const {
  prometheus::ClientMetric metric;
  auto& histogram = metric.histogram;
  histogram.sample_sum = sum_;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    histogram.sample_count += counts_[i];
    histogram.bucket.push_back(
        {histogram.sample_count,
         i < kBounds.size() ? kBounds[i] : std::numeric_limits<double>::infinity()});
  }
  return metric;
}

void IterationTimes::begins(Phase phase, Moment now) {
  if (phase == Phase::poll)
    begun_ = now;
  else
    end_phase(now);
  phase_ = phase;
  phase_begun_ = now;
}

void IterationTimes::ends(Moment now) {
  end_phase(now);
  phase_.reset();
  whole_.add(now - begun_);
  ++iterations_;
  last_end_ = now;
}

void IterationTimes::end_phase(Moment now) {
  if (phase_) parts_[static_cast<std::size_t>(*phase_)].add(now - phase_begun_);
}

prometheus::ClientMetric IterationTimes::part(Phase phase) const {
  return parts_[static_cast<std::size_t>(phase)].metric();
}

}  // namespace maui
