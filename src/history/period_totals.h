// Sums over the jobs that ended in a period: the figures of showstats and showgrid for any period,
// not only since statistics began.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "engine/accounts/grid.h"
#include "engine/accounts/job_totals.h"
#include "history/recorded_job.h"
#include "maui/settings.h"

namespace maui {

class PeriodTotals {
 public:
  using ByName = std::map<std::string, JobTotals, std::less<>>;

  /// `settings` give the rows of the grid (PLOT*) and the service targets (QTTARGET, XFTARGET);
  /// they must outlive this object.
  explicit PeriodTotals(const Settings& settings)
      : settings_(settings), grid_(settings.display.plot) {}

  void add(const RecordedJob& job);

  const JobTotals& all() const { return all_; }
  /// Returns the totals by name of credentials of that kind.
  const ByName& by(CredentialKind kind) const { return by_[kind]; }
  const Grid& grid() const { return grid_; }
  /// Returns the number of jobs that were removed while they waited; no other total includes them.
  std::int64_t never_ran() const { return never_ran_; }
  /// First submission and last end of the jobs that ran; kForever and 0 if none ran.
  Time first() const { return first_; }
  Time last() const { return last_; }

 private:
  const Settings& settings_;
  JobTotals all_;
  ByKind<ByName> by_;
  Grid grid_;
  std::int64_t never_ran_ = 0;
  Time first_ = kForever, last_{0};
};

}  // namespace maui
