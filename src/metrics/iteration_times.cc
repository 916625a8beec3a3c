#include "metrics/iteration_times.h"

namespace maui {
namespace {

double seconds(IterationTimes::Moment::duration time) {
  return std::chrono::duration<double>(time).count();
}

std::unique_ptr<prometheus::Histogram> new_histogram() {
  return std::make_unique<prometheus::Histogram>(
      prometheus::Histogram::BucketBoundaries{0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01,
                                              0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30});
}

}  // namespace

IterationTimes::IterationTimes() : whole_(new_histogram()) {
  for (auto& part : parts_) part = new_histogram();
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
  whole_->Observe(seconds(now - begun_));
  ++iterations_;
  last_end_ = now;
}

void IterationTimes::end_phase(Moment now) {
  if (phase_) parts_[static_cast<std::size_t>(*phase_)]->Observe(seconds(now - phase_begun_));
}

prometheus::ClientMetric IterationTimes::part(Phase phase) const {
  return parts_[static_cast<std::size_t>(phase)]->Collect();
}

}  // namespace maui
