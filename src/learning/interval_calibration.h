// Learns how wide the interval must be in which nine of ten run times fall, from the intervals that
// were forecast and the runs that followed.
//
// The distribution of earlier runs alone is too sure of itself, and the more so the fewer runs it
// knows.  Each end on the wrong side of a bound moves that bound away, each on the right side draws
// it back a little (adaptive conformal prediction): in the long run one end of twenty is beyond
// either bound.
#pragma once
#include <array>
#include <cstdint>

#include "learning/run_distribution.h"
#include "maui/units.h"

namespace maui {

/// The end of a job lies in it nine times of ten; seconds since its start.
struct RunInterval {
  Seconds low{0}, high{0};
};

class IntervalCalibration {
 public:
  /// How much is known: similar jobs none, one to three, more.
  static constexpr std::size_t kClasses = 3;
  struct Factors {
    double low = 1, high = 1;
    friend bool operator==(const Factors&, const Factors&) = default;
  };
  /// After twice so many jobs each of those that have ended counts half as much as before.
  static constexpr std::int64_t kJobsCounted = 1000;
  /// Jobs that have ended of late, and how many of them within their interval.
  struct Coverage {
    std::int64_t jobs = 0, within = 0;
    friend bool operator==(const Coverage&, const Coverage&) = default;
  };

  /// As the job starts.
  RunInterval at_start(const RunDistribution& run) const;
  /// After it has run for so long.
  RunInterval after(const RunDistribution& run, Seconds elapsed) const;
  /// Learns from a job that has ended, of which `said` was said as it started.
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
