#include "learning/run_distribution.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace maui {
namespace {

constexpr double kRounding = 1e-12;

double seconds_of(Seconds time) { return static_cast<double>(time.raw()); }

}  // namespace

// Sums run from the least to the greatest value, equal values by weight, so that they are the same
// to the last bit for every order of the input.
RunDistribution::RunDistribution(std::vector<Value> values, Seconds limit, int similar)
    : values_(std::move(values)), limit_(limit), similar_(similar) {
  std::sort(values_.begin(), values_.end(), [](const Value& a, const Value& b) {
    return a.seconds != b.seconds ? a.seconds < b.seconds : a.weight < b.weight;
  });
  for (const Value& value : values_) total_ += value.weight;
}

const ExpectedRun& RunDistribution::expected() const {
  if (expected_) return *expected_;
  constexpr double kShortest = 60;
  double mean = 0, logarithms = 0, urgency = 0;
  double logarithm = 0, of = 1;  // most runs are in several rings
  for (const Value& value : values_) {
    mean += value.weight * value.seconds;
    urgency += value.weight / std::max(value.seconds, kShortest);
    if (value.seconds != of) logarithm = std::log(of = value.seconds);
    logarithms += value.weight * logarithm;
  }
  expected_ = {mean / total_, std::max(1.0, std::exp(logarithms / total_)), urgency / total_};
  return *expected_;
}

double RunDistribution::quantile(double part) const {
  double sum = 0;
  for (const Value& value : values_) {
    sum += value.weight;
    if (sum >= part * total_ - kRounding) return value.seconds;
  }
  return values_.back().seconds;
}

RunDistribution::Longer RunDistribution::longer_than(Seconds elapsed) const {
  const double ran = seconds_of(elapsed);
  const auto first = std::find_if(values_.begin(), values_.end(),
                                  [ran](const Value& value) { return value.seconds > ran; });
  if (first == values_.end()) return {0, std::numeric_limits<double>::infinity(), limit_};
  double weight = 0, sum = 0;
  for (auto at = first; at != values_.end(); ++at) {
    weight += at->weight;
    sum += at->weight * at->seconds;
  }
  return {sum / weight, first->seconds, limit_};
}

double RunDistribution::Longer::mean_rest(Seconds elapsed) const {
  constexpr double kLeast = 60;
  const double ran = seconds_of(elapsed);
  if (mean > 0) return mean - ran;
  return std::max(0.0, std::min(seconds_of(limit) - ran, std::max(kLeast, ran)));
}

std::optional<double> RunDistribution::quantile_after(Seconds elapsed, double part) const {
  constexpr double kHardlyAny = 0.02;
  const double ran = seconds_of(elapsed);
  const auto longer = std::find_if(values_.begin(), values_.end(),
                                   [ran](const Value& value) { return value.seconds > ran; });
  double weight = 0;
  for (auto at = longer; at != values_.end(); ++at) weight += at->weight;
  if (weight < kHardlyAny) return std::nullopt;
  double sum = 0;
  for (auto at = longer; at != values_.end(); ++at) {
    sum += at->weight;
    if (sum >= part * weight - kRounding) return at->seconds;
  }
  return values_.back().seconds;
}

}  // namespace maui
