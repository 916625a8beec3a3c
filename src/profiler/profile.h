// The profile of the jobs of some files: sums, how they are spread, tables and grids.
#pragma once
#include <vector>

#include "history/period_totals.h"
#include "maui/replies/statistics.h"
#include "maui/result.h"
#include "profiler/options.h"

namespace maui::profiler {

class Profile {
 public:
  /// Both outlive the profile.
  Profile(const Options& options, const Settings& settings)
      : options_(options), totals_(settings) {}

  /// Counts the job if it is one of those that are asked for.
  void add(const RecordedJob& job);
  bool empty() const { return totals_.all().jobs == 0 && totals_.never_ran() == 0; }
  /// `procs`: of the machine, 0 where that is not known.  An error names a statistic that there is
  /// not.
  Result<ProfileReply> reply(std::int64_t procs) const;

 private:
  std::vector<SpreadRow> spreads() const;

  const Options& options_;
  PeriodTotals totals_;
  std::vector<double> queue_hours_, xfactors_, slowdowns_, bypasses_;
  std::vector<CompletedRow> jobs_;
};

}  // namespace maui::profiler
