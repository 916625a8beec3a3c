// Learns how wide the interval that holds nine of ten run times must be, from the forecast
// intervals and the runs that followed.
//
// The distribution of earlier runs alone is too narrow, especially when it covers few runs.
// Each end beyond a bound moves that bound outwards, and each other end moves it back a
// little (adaptive conformal prediction): in the long run one end in twenty lies beyond
// either bound.
#pragma once
#include <array>
#include <cstdint>

#include "learning/run_distribution.h"
#include "maui/units.h"

namespace maui {

/// The interval that holds the end of a job nine times in ten; seconds since its start.
struct RunInterval {
  Seconds low{0}, high{0};
};

class IntervalCalibration {
 public:
  /// Classes of knowledge: no similar jobs, one to three, more.
  static constexpr std::size_t kClasses = 3;
  struct Factors {
    double low = 1, high = 1;
    friend bool operator==(const Factors&, const Factors&) = default;
  };
  /// When twice this many jobs have been counted, the weight of all of them is halved.
  static constexpr std::int64_t kJobsCounted = 1000;
  /// Recently ended jobs, and how many of them ended within their interval.
  struct Coverage {
    std::int64_t jobs = 0, within = 0;
    friend bool operator==(const Coverage&, const Coverage&) = default;
  };

  /// Returns the interval for a job that starts.
  RunInterval at_start(const RunDistribution& run) const;
  /// Returns the interval for a job that has run for `elapsed`.
  RunInterval after(const RunDistribution& run, Seconds elapsed) const;
  /// Learns from a job that has ended; `said` is the interval forecast at its start.
  void learn(const RunDistribution& run, const RunInterval& said, Seconds ran);

  const std::array<Factors, kClasses>& factors() const { return factors_; }
  const std::array<Coverage, kClasses>& coverage() const { return coverage_; }
  void restore(std::size_t known, const Factors& factors, const Coverage& coverage);

 private:
  static std::size_t class_of(const RunDistribution& run);

  std::array<Factors, kClasses> factors_;
  std::array<Coverage, kClasses> coverage_;
};

}  // namespace maui
