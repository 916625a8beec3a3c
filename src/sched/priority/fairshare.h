// Fairshare: what was used, in windows, and what a target makes of it (guide 6.3; paper 6).
//
// Arithmetic only.  The engine keeps the history and adds to it; a cycle sees
// the effective use that it leaves in the cluster.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "maui/cluster.h"
#include "maui/fairshare.h"
#include "maui/settings.h"
#include "sched/rules/credential_attribute.h"

namespace maui {

/// When the window began that `when` is in: windows begin at multiples of FSINTERVAL since the
/// epoch.
Time window_start(Seconds interval, Time when);

/// When the window that `now` is in is over; kForever where fairshare is off.
Time window_end(const FairshareSettings& settings, Time now);

/// Adds `rate` a second from `from` until `until`, to each window its part.  Where `until` comes
/// first, so much is taken back.
void record_use(FairshareHistory& history, Seconds interval, const Credentials& who, double rate,
                Time from, Time until);

/// Forgets windows that count no longer.
void forget_old_windows(FairshareHistory& history, const FairshareSettings& settings, Time now);

/// The windows that count, newest first, each with the sums of all that began in it (more than one
/// while windows of an older FSINTERVAL are about).  Windows without use are there, too, up to the
/// oldest with any.
std::vector<FairshareWindow> windows_that_count(const FairshareHistory& history,
                                                const FairshareSettings& settings, Time now);
/// FSDECAY to the power of the window's age.
double window_weight(const FairshareSettings& settings, std::size_t age);

/// The decay-weighted average of guide 6.3.2.
FairshareUse effective_use(const FairshareHistory& history, const FairshareSettings& settings,
                           Time now);

/// The addition to priority for the difference between target and use: positive below the target
/// (paper, table 3).  In per cent, or in parts of the target with FSPOLICY ...%.
double deviation(const FairshareTarget& target, double percent, const FairshareSettings& settings);
/// True if jobs are not considered while so much is used.
bool blocks(const FairshareTarget& target, double percent, const FairshareSettings& settings);

/// The targets of all credentials against what they have used.
class FairshareStanding {
 public:
  FairshareStanding() = default;
  FairshareStanding(const Cluster& cluster, const Settings& settings);

  /// 0 where there is no target.
  double deviation(CredentialKind kind, const Credentials& who) const;
  /// The same while so much is used, in per cent.
  double deviation(CredentialKind kind, const Credentials& who, double percent) const;
  /// True if the target of the credential blocks its jobs while so much is used.
  bool blocks(CredentialKind kind, const Credentials& who, double percent) const;
  /// Some credential is over its cap.
  bool any_blocked() const { return any_blocked_; }
  /// The first kind of credential that keeps this job out.
  std::optional<CredentialKind> blocked_by(const Credentials& who) const;
  /// "user amy has used 21.40% of what was delivered, and its fairshare cap is 15.00%"; empty where
  /// nothing keeps the job out.
  std::string why_blocked(const Cluster& cluster, const Credentials& who) const;

 private:
  const FairshareSettings* settings_ = nullptr;
  CredentialAttribute<FairshareTarget> targets_;
  ByKind<std::vector<double>> deviations_;
  ByKind<std::vector<bool>> blocked_;
  bool any_blocked_ = false;
};

}  // namespace maui
