// The distribution of a run time: weighted values, most of them runs of earlier jobs
// (docs/learning.md).
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "maui/run_times.h"
#include "maui/units.h"

namespace maui {

class RunDistribution {
 public:
  struct Value {
    double seconds = 1;  // at least 1
    double weight = 0;   // positive; all weights together are about 1
    friend bool operator==(const Value&, const Value&) = default;
  };

  /// Takes at least one value, in any order.  `similar`: how many of the values are runs of similar
  /// jobs.
  RunDistribution(std::vector<Value> values, Seconds limit, int similar);

  /// Returns the mean, geometric mean and urgency.  Runs of less than a minute are as urgent as a
  /// run of one minute.
  const ExpectedRun& expected() const;
  /// Returns the least value at or below which at least this part of the total weight lies.
  double quantile(double part) const;
  /// The values that exceed a job's elapsed time.
  struct Longer {
    double mean = 0;   // 0: no value is longer
    double least = 0;  // the data is valid until this elapsed time
    Seconds limit{0};  // of the job

    /// Returns the mean remaining seconds of a job after `elapsed`; if no value is longer, the
    /// elapsed time again.
    double mean_rest(Seconds elapsed) const;
  };
  Longer longer_than(Seconds elapsed) const;
  double mean_rest(Seconds elapsed) const { return longer_than(elapsed).mean_rest(elapsed); }
  /// Returns the quantile of the longer values; empty if they have hardly any weight.
  std::optional<double> quantile_after(Seconds elapsed, double part) const;

  Seconds limit() const { return limit_; }
  int similar() const { return similar_; }
  /// The values, shortest first.
  std::span<const Value> values() const { return values_; }

 private:
  std::vector<Value> values_;
  double total_ = 0;
  mutable std::optional<ExpectedRun> expected_;  // computed on first use
  Seconds limit_;
  int similar_;
};

/// The expected run of a job; similar jobs share it.
using SharedRun = std::shared_ptr<const RunDistribution>;

}  // namespace maui
