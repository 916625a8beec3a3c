// The distribution of a run time: values that are more or less likely, most of them runs of earlier
// jobs (docs/learning.md).
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
    double weight = 0;   // more than 0; all of them together are about 1
    friend bool operator==(const Value&, const Value&) = default;
  };

  /// Takes values in any order, one at least.  `similar`: how many of them are runs
  /// of jobs that were like this one in all that is known.
  RunDistribution(std::vector<Value> values, Seconds limit, int similar);

  /// Mean, geometric mean and urgency.  Runs of less than a minute are no more urgent than one of a
  /// minute.
  const ExpectedRun& expected() const;
  /// The least value that is not less than so great a part of all.
  double quantile(double part) const;
  /// The values that are longer than a job has run.
  struct Longer {
    double mean = 0;   // 0: there is none
    double least = 0;  // so long they stay the same
    Seconds limit{0};  // the job's

    /// Seconds that a job goes on for on average which has run for so long; where no value is
    /// longer, as long again.
    double mean_rest(Seconds elapsed) const;
  };
  Longer longer_than(Seconds elapsed) const;
  double mean_rest(Seconds elapsed) const { return longer_than(elapsed).mean_rest(elapsed); }
  /// The quantile of the values that are longer; nothing where hardly any is.
  std::optional<double> quantile_after(Seconds elapsed, double part) const;

  Seconds limit() const { return limit_; }
  int similar() const { return similar_; }
  /// By length.
  std::span<const Value> values() const { return values_; }

 private:
  std::vector<Value> values_;
  double total_ = 0;
  mutable std::optional<ExpectedRun> expected_;  // once somebody asks
  Seconds limit_;
  int similar_;
};

/// The run that is expected of a job: like ones share it.
using SharedRun = std::shared_ptr<const RunDistribution>;

}  // namespace maui
