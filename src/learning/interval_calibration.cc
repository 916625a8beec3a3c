#include "learning/interval_calibration.h"

#include <algorithm>
#include <cmath>

namespace maui {
namespace {

constexpr double kLeastFactor = 0.2, kMostLow = 1e4, kMostHigh = 1e3;
constexpr double kLowPart = 0.05, kHighPart = 0.95;  // nine of ten lie between them

Seconds rounded(double seconds) { return Seconds(static_cast<std::int64_t>(seconds)); }

}  // namespace

std::size_t IntervalCalibration::class_of(const RunDistribution& run) {
  constexpr int kMany = 4;
  if (run.similar() == 0) return 0;
  return run.similar() < kMany ? 1 : 2;
}

RunInterval IntervalCalibration::at_start(const RunDistribution& run) const {
  const Factors& by = factors_[class_of(run)];
  const double limit = static_cast<double>(run.limit().raw());
  return {rounded(std::floor(std::max(1.0, run.quantile(kLowPart) / by.low))),
          rounded(std::ceil(std::min(limit, run.quantile(kHighPart) * by.high)))};
}

RunInterval IntervalCalibration::after(const RunDistribution& run, Seconds elapsed) const {
  const auto low = run.quantile_after(elapsed, kLowPart);
  const auto high = run.quantile_after(elapsed, kHighPart);
  if (!low || !high) return {elapsed, std::max(elapsed, run.limit())};
  const Factors& by = factors_[class_of(run)];
  const double limit = static_cast<double>(run.limit().raw());
  const Seconds first = std::max(elapsed, rounded(std::floor(*low / by.low)));
  return {first, std::max(first, rounded(std::ceil(std::min(limit, *high * by.high))))};
}

void IntervalCalibration::learn(const RunDistribution& run, const RunInterval& said, Seconds ran) {
  constexpr double kRate = 0.03, kBeyond = 0.05;
  const auto moved = [&](double factor, bool beyond, double most) {
    return std::clamp(factor * std::exp(kRate * ((beyond ? 1.0 : 0.0) - kBeyond)), kLeastFactor,
                      most);
  };
  const std::size_t known = class_of(run);
  const bool early = ran<said.low, late = ran> said.high;
  factors_[known] = {moved(factors_[known].low, early, kMostLow),
                     moved(factors_[known].high, late, kMostHigh)};
  auto& [jobs, ended_within] = coverage_[known];
  if (jobs >= 2 * kJobsCounted) {
    jobs /= 2;
    ended_within /= 2;
  }
  ++jobs;
  if (!early && !late) ++ended_within;
}

void IntervalCalibration::restore(std::size_t known, const Factors& factors,
                                  const Coverage& coverage) {
  if (known >= kClasses) return;
  factors_[known] = {std::clamp(factors.low, kLeastFactor, kMostLow),
                     std::clamp(factors.high, kLeastFactor, kMostHigh)};
  const std::int64_t jobs = std::max<std::int64_t>(coverage.jobs, 0);
  coverage_[known] = {jobs, std::clamp<std::int64_t>(coverage.within, 0, jobs)};
}

}  // namespace maui
