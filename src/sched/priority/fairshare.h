// Fairshare: use in windows, and the effect of targets on priorities (guide 6.3; paper 6).
//
// Arithmetic only.  The engine keeps and extends the history; a cycle sees the effective use that
// the engine stores in the cluster.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "maui/cluster.h"
#include "maui/fairshare.h"
#include "maui/settings.h"
#include "sched/rules/credential_attribute.h"

namespace maui {

/// Returns when the window that contains `when` began.  Windows begin at multiples of FSINTERVAL
/// since the epoch.
Time window_start(Seconds interval, Time when);

/// Returns the length of so many windows; kUnlimited if that is longer than times can say.
Seconds length_of_windows(Seconds interval, std::int64_t count);

/// Returns the end of the window that contains `now`; kForever where fairshare is off.
Time window_end(const FairshareSettings& settings, Time now);

/// Adds `rate` per second from `from` until `until`, split over the windows.  If `until` is before
/// `from`, subtracts the same amount.
void record_use(FairshareHistory& history, Seconds interval, const Credentials& who, double rate,
                Time from, Time until);

/// Drops windows that no longer count, except the last FSDEPTH ones: they count again if it is the
/// clock that is wrong.
void forget_old_windows(FairshareHistory& history, const FairshareSettings& settings, Time now);

/// Returns the windows that count, newest first.  Each entry sums all windows that began in it
/// (several while windows of an older FSINTERVAL exist).  Includes windows without use, back to the
/// oldest one with use.
std::vector<FairshareWindow> windows_that_count(const FairshareHistory& history,
                                                const FairshareSettings& settings, Time now);
/// Returns FSDECAY to the power of the window's age.
double window_weight(const FairshareSettings& settings, std::size_t age);

/// Use in all windows that count, each weighted by its age.
struct WeightedUse {
  double total = 0;
  ByKind<std::vector<double>> used;
};
WeightedUse weighted_use(const FairshareHistory& history, const FairshareSettings& settings,
                         Time now);

/// Returns a part of all use in per cent; 0 where nothing was used.
inline double percent_of(double used, double total) {
  return total > 0 ? std::clamp(100 * used / total, 0.0, 100.0) : 0;
}

/// Returns the decay-weighted average of guide 6.3.2.
FairshareUse effective_use(const FairshareHistory& history, const FairshareSettings& settings,
                           Time now);

/// Returns the addition to the priority for the difference between target and use: positive below
/// the target (paper, table 3).  In per cent, or in parts of the target with FSPOLICY ...%.
double deviation(const FairshareTarget& target, double percent, const FairshareSettings& settings);
/// True if that use blocks the jobs of the credential.
bool blocks(const FairshareTarget& target, double percent, const FairshareSettings& settings);

/// The targets of all credentials compared with their use.
class FairshareStanding {
 public:
  FairshareStanding() = default;
  FairshareStanding(const Cluster& cluster, const Settings& settings);

  /// Returns the deviation from the target; 0 where there is no target.
  double deviation(CredentialKind kind, std::uint32_t number) const {
    return number < deviations_[kind].size() ? deviations_[kind][number] : 0.0;
  }
  /// Returns the deviation for a use of `percent`.
  double deviation(CredentialKind kind, const Credentials& who, double percent) const;
  /// True if the target of the credential blocks its jobs at that use.
  bool blocks(CredentialKind kind, const Credentials& who, double percent) const;
  /// True if some credential is over its cap.
  bool any_blocked() const { return any_blocked_; }
  /// Returns the first kind of credential that blocks this job, if any.
  std::optional<CredentialKind> blocked_by(const Credentials& who) const;
  /// Returns "user amy has used 21.40% of the delivered resources, and its fairshare cap is
  /// 15.00%"; empty if nothing blocks the job.
  std::string why_blocked(const Cluster& cluster, const Credentials& who) const;
  /// Returns the event that ends this: "the fairshare use of user amy, now 21.40%, is no longer
  /// above its cap of 15.00%"; empty if nothing blocks the job.
  std::string what_unblocks(const Cluster& cluster, const Credentials& who) const;

 private:
  const FairshareSettings* settings_ = nullptr;
  CredentialAttribute<FairshareTarget> targets_;
  ByKind<std::vector<double>> deviations_;
  ByKind<std::vector<bool>> blocked_;
  bool any_blocked_ = false;
};

}  // namespace maui
