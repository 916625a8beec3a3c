// The profile of the jobs in some files: totals, distributions, tables and grids.
#pragma once
#include <vector>

#include "history/period_totals.h"
#include "maui/replies/statistics.h"
#include "maui/result.h"
#include "profiler/options.h"

namespace maui::profiler {

class Profile {
 public:
  /// `options` and `settings` must outlive the profile.
  Profile(const Options& options, const Settings& settings)
      : options_(options), totals_(settings) {}

  /// Counts the job if the options select it.
  void add(const RecordedJob& job);
  bool empty() const { return totals_.all().jobs == 0 && totals_.never_ran() == 0; }
  /// Returns the profile.  `procs`: processors of the machine, 0 if unknown.  It is an error if the
  /// options name an unknown statistic.
  Result<ProfileReply> reply(std::int64_t procs) const;

 private:
  std::vector<SpreadRow> spreads() const;

  const Options& options_;
  PeriodTotals totals_;
  std::vector<double> queue_hours_, xfactors_, slowdowns_, bypasses_;
  std::vector<CompletedRow> jobs_;
};

}  // namespace maui::profiler
