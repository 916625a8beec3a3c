// Sums over the jobs that ended in a period: what showstats and showgrid show of the time since
// statistics began, for any time.
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

  /// `settings` give the rows of the grid (PLOT*) and which service was promised (QTTARGET,
  /// XFTARGET); they outlive this.
  explicit PeriodTotals(const Settings& settings)
      : settings_(settings), grid_(settings.display.plot) {}

  void add(const RecordedJob& job);

  const JobTotals& all() const { return all_; }
  /// Returns the totals of jobs that have such a credential.
  const ByName& by(CredentialKind kind) const { return by_[kind]; }
  const Grid& grid() const { return grid_; }
  /// Removed while they waited; nothing else counts them.
  std::int64_t never_ran() const { return never_ran_; }
  /// The first submission and the last end of those that ran; kForever and 0 where none did.
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
